"""The programs of charts/collectives-check: reading nccom-test's output, judging it, and the command that made it.

The outputs have the form of the guide of nccom-test (aws-neuron/aws-neuron-sdk@81ce03a), older and newer.
"""

import json
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "collectives-check" / "files"
sys.path.insert(0, str(FILES))

from check_plan import read_plan
from collectives_metrics import embedded_metric_lines, prometheus_text, push
from collectives_report import (
    Floor,
    Measurement,
    Outcome,
    UnreadableOutput,
    Verdict,
    judge,
    read_floors,
    read_table,
    result_document,
    summary,
    verdict,
)
from nccom_run import measure_run
from ssh_mesh import SshMesh, session_environment

OLDER = """\
       size(B)    count(elems)    type    time(us)    algbw(GB/s)    busbw(GB/s)
      33554432         8388608    fp32        2711          11.53          22.69
    1073741824       268435456    fp32       41806          23.92          47.09
Avg bus bandwidth:      34.8900GB/s
"""
NEWER = """\
    size(B)    count(elems)    type    time:avg(us)    algbw(GB/s)    busbw(GB/s)    algorithm
       8192            2048    fp32          299.74           0.03           0.05         mesh
   33554432         8388608    fp32         2754.15          12.18          22.84    kangaring
Avg bus bandwidth:\t11.4450GB/s
"""
PERCENTILES = """\
    size(B)    count(elems)    type    time:avg(us)    time:p50(us)    time:p99(us)    algbw(GB/s)    busbw(GB/s)
     524288          131072    fp32           14.83              15              17          35.34          30.92
"""
FAILED_RUN = """\
     size(B)    count(elems)    type    time(us)    algbw(GB/s)    busbw(GB/s)
    33554432    Failure running neuron-bench - log file /tmp/nccom_test_log_0.log
1 errors found - test failed
"""
NO_DRIVER = "Neuron DKMS Driver is not running! Read the troubleshooting guide\n"
MEASURED = Measurement("all_reduce", 1024, 10.5, 30.0, 40.0)


def floor(bus_bandwidth: float, *, source: str = "measured", enforced: bool = True, size_bytes: int = 1024) -> Floor:
    return Floor("all_reduce", size_bytes, bus_bandwidth, source, enforced)


def test_every_line_of_the_older_table_is_a_measurement() -> None:
    assert read_table("all_reduce", OLDER) == [
        Measurement("all_reduce", 33554432, 2711, 11.53, 22.69),
        Measurement("all_reduce", 1073741824, 41806, 23.92, 47.09),
    ]


def test_the_newer_table_has_other_titles_and_a_further_column() -> None:
    assert read_table("all_gather", NEWER) == [
        Measurement("all_gather", 8192, 299.74, 0.03, 0.05),
        Measurement("all_gather", 33554432, 2754.15, 12.18, 22.84),
    ]


def test_columns_are_found_by_title_not_by_place() -> None:
    assert read_table("all_gather", PERCENTILES) == [Measurement("all_gather", 524288, 14.83, 35.34, 30.92)]


@pytest.mark.parametrize("output", [FAILED_RUN, NO_DRIVER], ids=["failed benchmark", "no driver"])
def test_what_the_tool_calls_a_failure_is_one(output: str) -> None:
    with pytest.raises(UnreadableOutput, match=r"test failed|is not running"):
        read_table("all_reduce", output)


@pytest.mark.parametrize("output", ["", OLDER.splitlines()[0], "time: 3\n1 2 3\n"], ids=["empty", "header", "other"])
def test_output_without_a_line_of_the_table_is_unreadable(output: str) -> None:
    with pytest.raises(UnreadableOutput, match="no table"):
        read_table("all_reduce", output)


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        (("time(us)", "time:max(us)"), r"no time\(us\) or time:avg\(us\).*columns are size.*time:max"),
        (("algbw(GB/s)", "rate"), r"and algbw\(GB/s\); its columns are .*rate"),
        (("22.69", "N/A"), "holds no numbers: 33554432 8388608 fp32 2711 11.53 N/A"),
    ],
    ids=["other time", "no algorithm bandwidth", "no number"],
)
def test_a_table_of_another_form_is_unreadable_and_is_shown(instead: tuple[str, str], said: str) -> None:
    with pytest.raises(UnreadableOutput, match=said):
        read_table("all_reduce", OLDER.replace(*instead))


def test_a_floor_that_is_just_reached_is_met() -> None:
    (result,) = judge([floor(40.0)], [MEASURED])
    assert (result.outcome, verdict([result])) == (Outcome.MET, Verdict.PASSED)


def test_the_slowest_of_several_measurements_counts() -> None:
    slower = Measurement("all_reduce", 1024, 12.0, 20.0, 39.9)
    (result,) = judge([floor(40.0)], [slower, MEASURED])
    assert result.measured == 39.9
    assert result.outcome is Outcome.BELOW


def test_an_enforced_floor_with_a_source_fails_the_check() -> None:
    assert verdict(judge([floor(40.1)], [MEASURED])) is Verdict.FAILED


@pytest.mark.parametrize("weak", [floor(99, enforced=False), floor(99, source="")], ids=["not enforced", "no source"])
def test_other_floors_only_warn_and_say_so(weak: Floor) -> None:
    results = judge([weak], [MEASURED])
    assert verdict(results) is Verdict.WARNED
    assert "not enforced" in summary([MEASURED], results)


def test_an_enforced_floor_that_was_not_measured_fails_the_check() -> None:
    (result,) = judge([floor(1.0, size_bytes=2048)], [MEASURED])
    assert (result.outcome, verdict([result])) == (Outcome.NOT_MEASURED, Verdict.FAILED)


def test_floors_are_read_as_the_chart_writes_them() -> None:
    row = {"operation": "all_reduce", "bytes": 1024, "busBandwidthGibps": 40.1, "source": "measured", "enforced": True}
    assert read_floors([row]) == [floor(40.1)]


def test_the_result_names_measurements_floors_and_verdict() -> None:
    document = json.loads(result_document({"release": "a"}, [MEASURED], judge([floor(50)], [MEASURED])))
    assert document["verdict"] == "failed"
    assert document["measurements"][0]["bus_bandwidth"] == 40.0
    assert document["floors"][0] | {"source": ""} == {
        "operation": "all_reduce",
        "size_bytes": 1024,
        "bus_bandwidth": 50,
        "source": "",
        "enforced": True,
        "measured": 40.0,
        "outcome": "below",
    }


def test_an_embedded_metric_line_defines_each_dimension_and_metric_that_it_names() -> None:
    (line,) = embedded_metric_lines({"release": "a"}, [MEASURED], 1_700_000_000_000)
    document = json.loads(line)
    directive = document["_aws"]["CloudWatchMetrics"][0]
    assert all(isinstance(document[name], str) for name in directive["Dimensions"][0])
    assert {metric["Name"]: document[metric["Name"]] for metric in directive["Metrics"]} == {
        "bus_bandwidth_gib_per_second": 40.0,
        "time": 10.5,
    }


@pytest.mark.parametrize(("ended", "value"), [(Verdict.FAILED, 0), (Verdict.WARNED, 1), (Verdict.PASSED, 1)])
def test_prometheus_text_has_labels_escaped_and_the_verdict(ended: Verdict, value: int) -> None:
    lines = prometheus_text({"release": 'a"b\\'}, [MEASURED], ended).splitlines()
    label = r'release="a\"b\\"'
    assert (
        f'neuron_collectives_bus_bandwidth_gib_per_second{{{label},operation="all_reduce",size_bytes="1024"}} 40.0'
        in lines
    )
    assert f"neuron_collectives_check_passed{{{label}}} {value}" in lines
    assert f"neuron_collectives_check_warned{{{label}}} {int(ended is Verdict.WARNED)}" in lines


def test_a_gateway_that_is_no_web_address_is_refused() -> None:
    with pytest.raises(OSError, match="not an http"):
        push("file:///etc/passwd", "job", "")


def test_the_command_for_several_nodes_names_them_last(plan_file: Path) -> None:
    plan = read_plan(plan_file)
    command = plan.command(plan.run("all_reduce", ["10.0.0.1", "10.0.0.2"]), "10.0.0.1")
    assert command[:6] == ["nccom-test", "all_reduce", "--nworkers", "128", "--nnodes", "2"]
    assert command[-3:] == ["--hosts", "10.0.0.1", "10.0.0.2"]
    assert command[command.index("--data-collector-host") + 1] == "10.0.0.1"


def test_the_command_for_one_node_names_no_host(plan_file: Path) -> None:
    plan = read_plan(plan_file)
    command = plan.command(plan.run("all_reduce", []), "10.0.0.1")
    assert "--hosts" not in command
    assert command[-1] == "--non-interactive"


def test_an_image_without_the_tool_could_not_run_it(
    plan_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POD_IP", "10.0.0.1")
    monkeypatch.setenv("PATH", str(tmp_path))
    plan = read_plan(plan_file)
    with pytest.raises(UnreadableOutput, match="nccom-test cannot be run in this image: No such file"):
        measure_run(plan, plan.run("all_reduce", []))


def test_a_session_gets_the_path_but_not_what_belongs_to_the_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/opt/aws/neuron/bin:/usr/bin")
    monkeypatch.setenv("HOSTNAME", "pod-0")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.100.0.1")
    monkeypatch.setenv("QUOTED", 'a"b')
    line = session_environment()
    assert '"PATH=/opt/aws/neuron/bin:/usr/bin"' in line
    assert not any(name in line for name in ("HOSTNAME", "KUBERNETES", "QUOTED", "\n"))


def test_the_launcher_connects_to_hosts_by_the_keys_that_they_have_written(tmp_path: Path) -> None:
    mesh = SshMesh(tmp_path, 2222)
    mesh.know({"10.0.0.7": "ssh-ed25519 AAAA ubuntu@check-1", "10.0.0.8": "ssh-ed25519 BBBB"})
    assert mesh.known_hosts.read_text() == "[10.0.0.7]:2222 ssh-ed25519 AAAA\n[10.0.0.8]:2222 ssh-ed25519 BBBB\n"
