"""`usage` on the command line: a recording, a Prometheus by its address, and one in a cluster through kubectl."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.usage.queries import QUERIES, USED
from tests.fake_api_server import FakeApiServer

from .conftest import PROJECT, Command

RECORDING = PROJECT / "tests" / "fixtures" / "usage" / "two-teams.json"
TEAMS = """
teams:
  - name: research
    members: []
    namespaces: [{name: research}]
    quota: [{node_group: trn1, devices: 128}]
  - name: product
    members: []
    namespaces: [{name: product}]
    quota: [{node_group: trn1, devices: 64}]
"""
STACK = "    kube_prometheus_stack: true\n    neuron_monitor: true\n"
SERVICE = "/api/v1/namespaces/monitoring/services/http:kube-prometheus-stack-prometheus:9090/proxy/api/v1/query_range"
ARN = "arn:aws:eks:us-west-2:111122223333:cluster/train-trn1"
EMPTY = {"status": "success", "data": {"resultType": "matrix", "result": []}}


@pytest.fixture
def environment(tmp_path: Path) -> Callable[..., str]:
    """The path of train-trn1 with two teams, with or without kube-prometheus-stack."""

    def write(addons: str = STACK) -> str:
        text = (PROJECT / "environments" / "train-trn1.yaml").read_text("utf-8")
        text = text.replace("instance_type: trn1.32xlarge\n", "instance_type: trn1.32xlarge\n      queue: training\n")
        text = text.replace("  addons:\n", f"  addons:\n{addons}")
        file = tmp_path / "train-trn1.yaml"
        file.write_text(text + TEAMS)
        return str(file)

    return write


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeApiServer]]:
    """A cluster whose context is ``here``, with these documents."""
    monkeypatch.setenv("KUBECACHEDIR", str(tmp_path / "cache"))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "config"))
    with ExitStack() as stack:

        def start(documents: dict[str, Any]) -> FakeApiServer:
            server = stack.enter_context(FakeApiServer([], documents=documents))
            server.kubeconfig(tmp_path / "config", ARN)
            return server

        yield start


def _hours_of_now(path: str) -> Any:
    """Returns only the last hour of the query of reservations: 32 devices; of the others nothing."""
    asked = urllib.parse.parse_qs(urllib.parse.urlsplit(path).query)
    if "kueue_cluster_queue_resource_usage" not in asked["query"][0]:
        return EMPTY
    series = {
        "metric": {"cluster_queue": "research-training", "flavor": "trn1"},
        "values": [[int(asked["end"][0]), "32"]],
    }
    return {"status": "success", "data": {"resultType": "matrix", "result": [series]}}


def test_a_recording_gives_each_team_its_share(environment: Callable[..., str], command: Command) -> None:
    ran = command("usage", environment(), "--recording", str(RECORDING), "--format", "json")
    assert ran.status == 0
    teams = {each["name"]: each for each in ran.document["teams"]}
    assert list(teams) == ["research", "product", "no team", "former-training"]
    research = teams["research"]
    assert research["reserved_device_hours"] == {"exact": None, "at_least": 192.0}
    assert research["used_device_hours"] == {"exact": None, "at_least": 132.0}
    assert research["used_share"] == 132 / 192
    assert research["usd"] == {"exact": None, "at_least": 258.0}  # 192 of 16 devices at USD 21.50 an hour
    assert research["hours_without_data"] == ["2026-11-20T04:00:00+00:00"]
    product = teams["product"]
    assert product["reserved_device_hours"] == {"exact": None, "at_least": 32.0}
    assert product["used_device_hours"] == {"exact": None, "at_least": 20.0}
    assert len(product["hours_without_data"]) == 3
    assert ran.document["capacity_device_hours"]["at_least"] == 4 * 256 + 128
    assert ran.document["idle_device_hours"]["at_least"] == 4 * 256 + 128 - 192 - 32 - 32
    assert ran.document["groups_without_price"] == []


def test_text_names_the_hours_without_data_and_fits(
    environment: Callable[..., str], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = command("usage", environment(), "--recording", str(RECORDING))
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    text = " ".join(ran.out.split())
    assert "No data of reserved devices for 1 of 6 hours: 2026-11-20 04:00 to 2026-11-20 05:00 UTC." in text
    assert "No data of product for 3 of 6 hours: 2026-11-20 00:00 to 2026-11-20 02:00" in text
    assert "258.00" in text


@pytest.mark.parametrize("missing", ["reserved", "used", "capacity"])
def test_without_a_metric_its_figures_are_unknown_and_never_zero(
    environment: Callable[..., str], command: Command, tmp_path: Path, missing: str
) -> None:
    recorded = json.loads(RECORDING.read_text("utf-8"))
    recorded["answers"][missing] = EMPTY
    (tmp_path / "recording.json").write_text(json.dumps(recorded))
    ran = command("usage", environment(), "--recording", str(tmp_path / "recording.json"), "--format", "json")
    assert ran.status == 0
    document, research = ran.document, ran.document["teams"][0]
    unknown = {"exact": None, "at_least": None}
    assert len(document["hours_without_data"][missing]) == 6
    assert document["idle_device_hours"] == unknown or missing == "used"
    if missing == "capacity":
        assert document["capacity_device_hours"] == unknown
    else:
        assert research[f"{missing}_device_hours"] == unknown
        assert research["used_share"] is None
    keys = {"reserved": "`teams`", "used": "neuron_monitor", "capacity": "kube_prometheus_stack"}
    assert any(keys[missing] in note for note in document["notes"])


@pytest.mark.slow
def test_a_cluster_is_read_through_the_api_server(
    serve: Callable[..., FakeApiServer], environment: Callable[..., str], command: Command
) -> None:
    serve({SERVICE: _hours_of_now})
    ran = command("usage", environment(), "--context", "here", "--since", "2h", "--format", "json")
    assert ran.status == 0, ran.err
    assert (ran.document["hours"], ran.document["teams"][0]["reserved_device_hours"]["at_least"]) == (2, 32.0)
    assert len(ran.document["hours_without_data"]["reserved"]) == 1


def test_an_address_is_read_without_a_cluster(
    serve: Callable[..., FakeApiServer], environment: Callable[..., str], command: Command
) -> None:
    server = serve({"/api/v1/query_range": _hours_of_now})
    ran = command("usage", environment(""), "--prometheus", server.url, "--since", "1d", "--format", "json")
    assert ran.status == 0, ran.err
    assert ran.document["teams"][0]["usd"] == {"exact": None, "at_least": 43.0}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (
            (403, "Forbidden", 'services "prometheus" is forbidden: User "alice" cannot get resource "services/proxy"'),
            "the right to get services/proxy in the namespace monitoring",
        ),
        ((404, "NotFound", 'services "prometheus" not found'), "`eks.addons.kube_prometheus_stack: true`"),
        ((503, "ServiceUnavailable", "no endpoints available"), "shows whether it runs"),
    ],
)
def test_an_error_of_the_api_server_names_the_right_or_the_key(
    serve: Callable[..., FakeApiServer],
    environment: Callable[..., str],
    command: Command,
    error: tuple[int, str, str],
    hint: str,
) -> None:
    serve({SERVICE: error})
    ran = command("usage", environment(), "--context", "here")
    assert ran.status == 1
    text = " ".join(ran.err.split())
    assert error[2] in text
    assert hint in text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--context", "absent"), "no kubeconfig"),
        (("--prometheus", "file:///etc/passwd"), "is not the address of a Prometheus"),
        (("--prometheus", "http://127.0.0.1:1"), "does not answer"),
        (("--recording", "absent.json"), "cannot be read"),
        (("--recording", "environments/train-trn1.yaml"), "is not a recording of usage"),
        (("--prometheus", "http://[::1"), "is not the address of a Prometheus"),
        (("--prometheus", "http://localhost:99999"), "is not the address of a Prometheus"),
        (("--prometheus", "http://localhost:nine"), "is not the address of a Prometheus"),
    ],
)
def test_bad_input_is_an_error_with_what_to_do(
    environment: Callable[..., str],
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, str],
    text: str,
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    ran = command("usage", environment(), *arguments)
    assert ran.status == 1
    assert text in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda _: "", "is not a recording of usage"),
        (lambda _: "[" * 100_000, "is not a recording of usage"),
        (lambda text: text.replace("1795132800", "Infinity", 1), "is not a recording of usage"),
        (lambda text: text.replace("1795132800", "NaN", 1), "is not a recording of usage"),
        (lambda text: text.replace("1795132800", "0", 1), "at most 366 days"),
        (lambda text: text.replace("1795136400", "1e400"), "is not the answer of Prometheus"),
        (lambda text: text.replace('"32"', '"-5"'), "is not the answer of Prometheus"),
        (lambda text: text.replace('"32"', '"1e308"'), "is not the answer of Prometheus"),
    ],
    ids=["empty", "nested", "endless", "not-a-number", "56-years", "time-beyond-numbers", "negative", "enormous"],
)
def test_a_recording_with_impossible_numbers_is_an_error(
    environment: Callable[..., str], command: Command, tmp_path: Path, edit: Callable[[str], str], message: str
) -> None:
    changed = tmp_path / "changed.json"
    changed.write_text(edit(RECORDING.read_text()))
    ran = command("usage", environment(), "--recording", str(changed))
    assert ran.status == 1
    assert message in " ".join(ran.err.split())


def test_an_environment_without_a_kubernetes_cluster_is_not_told_to_set_a_queue(command: Command) -> None:
    ran = command("usage", "slurm-trn1", "--recording", str(RECORDING))
    assert ran.status == 1
    assert "slurm-trn1 has no Kubernetes cluster" in ran.err
    assert "queue" not in ran.err


def test_an_environment_without_queues_or_prometheus_names_the_key(
    environment: Callable[..., str], serve: Callable[..., FakeApiServer], command: Command
) -> None:
    ran = command("usage", "train-trn1", "--recording", str(RECORDING))
    assert ran.status == 1
    assert "set `queue` of a node group" in " ".join(ran.err.split())
    serve({})
    ran = command("usage", environment(""), "--context", "here")
    assert ran.status == 1
    assert "eks.addons.kube_prometheus_stack: true" in " ".join(ran.err.split())


@pytest.mark.parametrize("since", ["0h", "7", "367d", "-1d", "9999d", "1w"])
def test_another_period_is_a_wrong_command_line(command: Command, since: str) -> None:
    ran = command("usage", "train-trn1", "--recording", str(RECORDING), f"--since={since}")
    assert ran.status == 2
    assert "expected hours or days" in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"status": "error", "error": "query timed out"}, "query timed out"),
        ({"status": "success", "data": {"resultType": "vector", "result": []}}, "is not the answer of Prometheus"),
        ([], "is not the answer of Prometheus"),
    ],
)
def test_an_error_of_prometheus_is_shown(
    environment: Callable[..., str], command: Command, tmp_path: Path, answer: Any, text: str
) -> None:
    recorded = json.loads(RECORDING.read_text("utf-8"))
    recorded["answers"]["used"] = answer
    (tmp_path / "recording.json").write_text(json.dumps(recorded))
    ran = command("usage", environment(), "--recording", str(tmp_path / "recording.json"))
    assert ran.status == 1
    assert text in " ".join(ran.err.split())


def test_used_devices_are_those_that_pods_request_whole_or_by_cores() -> None:
    """Cores count in the proportion in which their node publishes both names."""
    requests = 'kube_pod_container_resource_requests{resource="aws_amazon_com_neuron'
    capacity = 'max by (node) (kube_node_status_capacity{resource="aws_amazon_com_neuron'
    assert (
        f'{requests}"}} or {requests}core"}} * on (node) group_left () ({capacity}"}}) / {capacity}core"}}))'
        in (QUERIES[USED])
    )
