"""The environment of programs of a rehearsal: variables, time, and file systems that fail."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from neuron_cluster.rehearsal.clock import FAST, SLOW, Clock
from neuron_cluster.rehearsal.cluster.container_variables import expanded
from neuron_cluster.rehearsal.container_process import PROGRAMS
from tests.every_case import every_case


def _run(program: str, **variables: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(PROGRAMS)} | variables
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return ran.stdout


@every_case(
    "given, expected",
    [("$(A)-x", "1-x"), ("$(B)", "$(B)"), ("$$(A)", "$(A)"), ("$A", "$A"), ("$(A)$(A)", "11")],
)
def test_references_are_expanded_as_kubelet_does(given: str, expected: str) -> None:
    assert expanded(given, {"A": "1"}) == expected


def test_sleeps_and_waits_take_a_part_of_their_time_here(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    clock.jump_to(1000)
    clock.pass_slowly(slowly=False)
    program = (
        "import time, threading, subprocess\n"
        "before = time.monotonic()\n"
        "time.sleep(40)\n"
        "threading.Event().wait(40)\n"
        "try: subprocess.run(['sleep', '9'], timeout=40)\n"
        "except subprocess.TimeoutExpired: pass\n"
        "print(before, time.monotonic() - before)"
    )
    started = time.monotonic()
    before, passed = map(float, _run(program, REHEARSAL_CLOCK=str(tmp_path / "clock")).split())
    assert before >= 1000
    assert passed >= 120
    assert passed <= (time.monotonic() - started) * FAST


def test_a_time_out_of_a_socket_follows_a_change_of_the_rate(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    clock.pass_slowly(slowly=False)
    program = (
        "import socket, threading, time\n"
        "here, there = socket.socketpair()\n"
        "here.settimeout(40)\n"
        "print('set', flush=True)\n"
        "input()\n"
        "def answer():\n"
        "    time.sleep(20)\n"
        "    there.send(b'answer')\n"
        "threading.Thread(target=answer).start()\n"
        "print(here.recv(9).decode(), here.gettimeout())\n"
        "here.settimeout(4)\n"
        "try: here.recv(9)\n"
        "except TimeoutError: print('nothing more')\n"
    )
    environment = os.environ | {"PYTHONPATH": str(PROGRAMS), "REHEARSAL_CLOCK": str(tmp_path / "clock")}
    with subprocess.Popen(
        [sys.executable, "-c", program], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "set\n"
        clock.pass_slowly(slowly=True)
        said, _ = running.communicate("\n")
    assert said.split("\n")[:2] == ["answer 40.0", "nothing more"]


def test_the_slowest_rate_is_one_number() -> None:
    assert f"\nSLOWEST = {SLOW}\n" in (PROGRAMS / "sitecustomize.py").read_text(encoding="utf-8")


def test_a_file_of_this_moment_is_new_in_the_time_of_the_rehearsal(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    clock.jump_to(50_000)
    program = (
        f"import pathlib, time\nfile = pathlib.Path({str(tmp_path / 'new')!r})\nfile.touch()\n"
        "print(time.time() - file.stat().st_mtime)"
    )
    assert abs(float(_run(program, REHEARSAL_CLOCK=str(tmp_path / "clock")))) < 3600


@pytest.mark.parametrize(("line", "error"), [("ENOSPC write", errno.ENOSPC), ("ESTALE any", errno.ESTALE)])
def test_calls_on_a_broken_file_system_fail_with_its_error(tmp_path: Path, line: str, error: int) -> None:
    broken = tmp_path / "claim"
    broken.mkdir()
    (broken / "old").touch()
    (tmp_path / "file-errors").write_text(f"{line} {broken}\n")
    program = (
        "import pathlib, sys\n"
        f"folder = pathlib.Path({str(broken)!r})\n"
        "new, more, old = (folder / name for name in ('new', 'more', 'old'))\n"
        "for call in (new.touch, more.mkdir, old.read_text, lambda: list(folder.iterdir())):\n"
        "    try:\n"
        "        call()\n"
        "        print(0)\n"
        "    except OSError as problem:\n"
        "        print(problem.errno)\n"
    )
    found = list(map(int, _run(program, REHEARSAL_FAULTS=str(tmp_path)).split()))
    reads = error if line.endswith("any") else 0
    assert found == [error, error, reads, reads]


def test_a_replacement_names_itself_in_the_log_of_its_container(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.touch()
    _run("from program_report import report_replacement; report_replacement('vllm')", REHEARSAL_LOG=str(log))
    assert log.read_text(encoding="utf-8") == '@rehearsal {"reason": "Replaced", "program": "vllm"}\n'


def test_figures_of_collectives_are_marked_as_synthetic_and_can_be_read(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    clock.pass_slowly(slowly=False)
    environment = os.environ | {"PYTHONPATH": str(PROGRAMS), "REHEARSAL_CLOCK": str(tmp_path / "clock")}
    command = [sys.executable, str(PROGRAMS / "bin" / "nccom-test"), "allr", "-b", "1mb", "-e", "4mb", "-f", "2"]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    comment, head, *rows = [line for line in printed.splitlines() if not line.startswith("@")]
    assert "synthetic" in comment
    assert [row.split()[0] for row in rows] == ["1048576", "2097152", "4194304"]
    bandwidths = [float(row.split()[head.split().index("busbw(GB/s)")]) for row in rows]
    assert bandwidths == sorted(bandwidths)


def _answers_of_the_api(tmp_path: Path, calls: str) -> list[str]:
    (tmp_path / "result").write_text('{"verdict": "running", "old": "1"}')
    program = (
        "import pathlib, json, urllib.request, kubernetes_api\n"
        f"kubernetes_api.FOLDER = pathlib.Path({str(tmp_path)!r})\n"
        "kubernetes_api.use()\n"
        "def call(name, method='GET', data=None):\n"
        "    url = f'https://10.100.0.1:443/api/v1/namespaces/default/configmaps/{name}'\n"
        "    body = json.dumps({'data': data}).encode() if data else None\n"
        "    return json.load(urllib.request.urlopen(urllib.request.Request(url, method=method, data=body)))['data']\n"
        f"{calls}"
    )
    return _run(program, KUBERNETES_SERVICE_HOST="10.100.0.1").splitlines()


def test_a_patched_configmap_keeps_its_other_keys(tmp_path: Path) -> None:
    calls = "print(call('result', 'PATCH', {'verdict': 'passed'}))\nprint(call('result')['verdict'])\n"
    assert _answers_of_the_api(tmp_path, calls) == ["{'verdict': 'passed', 'old': '1'}", "passed"]


def test_a_configmap_that_does_not_exist_is_an_error_of_the_api(tmp_path: Path) -> None:
    calls = "try: call('other')\nexcept OSError as problem: print(problem)\n"
    assert _answers_of_the_api(tmp_path, calls) == ["HTTP Error 404: NotFound"]


def test_the_server_without_a_model_answers_for_its_own_model_alone() -> None:
    program = (
        "import completions, http.client, json, threading\n"
        "server = completions.Server(('127.0.0.1', 0), completions.Handler)\n"
        "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
        "def answer(*request):\n"
        "    client = http.client.HTTPConnection(*server.server_address)\n"
        "    client.request(*request)\n"
        "    response = client.getresponse()\n"
        "    return response.status, json.load(response)\n"
        "print(answer('GET', '/v1/models')[1]['data'][0]['id'])\n"
        "for path, body in (('/v1/x', '{}'), ('/v1/completions', '['), ('/v1/completions', '{\"model\": \"x\"}')):\n"
        "    status, document = answer('POST', path, body)\n"
        "    print(status, document['error']['message'])\n"
    )
    expected = [
        "synthetic",
        "404 no such path: /v1/x",
        "400 the body is not a JSON object",
        "404 The model `x` does not exist.",
    ]
    assert _run(program).splitlines() == expected
