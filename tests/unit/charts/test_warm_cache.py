"""The program of charts/compile-cache-warmer that compiles graphs and puts them into the shared cache."""

import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parents[3] / "charts" / "compile-cache-warmer" / "files"
sys.path.insert(0, str(FILES))

import warm_cache
from warm_cache import (
    WarmUpFailed,
    answers,
    command_of,
    entries,
    main,
    mark,
    once_writable,
    promote,
    run_to_end,
    run_until_warm,
)

# A server that is healthy at once, as vLLM is after the last graph.
SERVER = """
import http.server, sys
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/health" else 404)
        self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Health).serve_forever()
"""
# save_cache's behaviour: each entry is copied under its name.
COPY = (
    "import shutil, sys\nfor entry in sys.argv[3:]: shutil.copytree(f'{sys.argv[1]}/{entry}', f'{sys.argv[2]}/{entry}')"
)


def python(program: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", program, *arguments]


@pytest.fixture
def port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_vllm_graphs_start_the_server_on_the_models_folder() -> None:
    """The documented command, with the serving workload's arguments after it."""
    graph = {"name": "m", "kind": "vllm", "model": "llama", "args": ["--tensor-parallel-size=4"]}
    command = command_of(graph, "/models")
    assert command[:3] == ["python3", "-m", "vllm.entrypoints.openai.api_server"]
    assert "--model=/models/llama" in command
    assert command[-1] == "--tensor-parallel-size=4"


def test_a_model_without_a_folder_is_the_root() -> None:
    """The weights' volume holds one model."""
    assert "--model=/models" in command_of({"name": "m", "kind": "vllm", "args": []}, "/models")


def test_parallel_compile_wraps_the_command_and_command_does_not() -> None:
    """neuron_parallel_compile stands before the run."""
    run = ["torchrun", "train.py"]
    wrapped = command_of({"name": "m", "kind": "parallel_compile", "args": run}, "")
    assert wrapped == ["neuron_parallel_compile", *run]
    assert command_of({"name": "m", "kind": "command", "args": run}, "") == run


def test_a_failing_command_is_named_with_its_exit_code() -> None:
    """The person on call reads why."""
    with pytest.raises(WarmUpFailed, match="exit code 7"):
        run_to_end(python("raise SystemExit(7)"))


def test_a_command_is_followed_by_the_entries_that_it_read(capfd: pytest.CaptureFixture[str]) -> None:
    """As Neuron's persistent cache logs them, on either channel; the log is passed on."""
    said = "INFO ||NCC_WRAPPER||: Using a cached neff at /c/neuronxcc-2.8/MODULE_1+d4/model.neff. Exiting with a graph."
    program = f"import sys; print({said!r}); print({said.replace('_1+', '_2+')!r}, file=sys.stderr)"
    assert run_to_end(python(program)) == [Path("/c/neuronxcc-2.8/MODULE_1+d4"), Path("/c/neuronxcc-2.8/MODULE_2+d4")]
    assert "MODULE_2+d4/model.neff. Exiting" in capfd.readouterr().out


def test_a_drain_stops_the_command_too(tmp_path: Path) -> None:
    """A compiler that is killed with the node leaves a lock behind; one that is told can take it away."""
    graph = {"name": "m", "kind": "command", "args": python("import os, time; print(os.getpid()); time.sleep(600)")}
    (tmp_path / "graphs.json").write_text(json.dumps([graph]))
    environment = {**os.environ, "JOB_COMPLETION_INDEX": "0", "NEURON_COMPILE_CACHE_URL": "/c", "PYTHONUNBUFFERED": "1"}
    program = [sys.executable, str(FILES / "warm_cache.py"), str(tmp_path / "graphs.json")]
    with subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, text=True) as warmer:
        assert warmer.stdout is not None
        pid = next(int(line) for line in warmer.stdout if line.strip().isdigit())
        warmer.terminate()
        assert warmer.wait() == 143
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_is_used_is_young_whether_or_not_the_volume_records_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that another user owns, or that is gone, is named and ends nothing."""
    folder = tmp_path / "a"
    folder.mkdir()
    os.utime(folder, (0, 0))
    assert mark([tmp_path / "gone", folder]) == 1
    assert folder.stat()[stat.ST_MTIME] > 0
    assert "gone could not be marked as used" in capsys.readouterr().err


def test_a_server_that_answers_is_warm_and_is_stopped(port: int) -> None:
    """Nothing listens on its port afterwards."""
    run_until_warm(python(SERVER, str(port)), port, poll_seconds=0.01)
    assert not answers(port)


def test_a_compiler_that_ends_by_itself_is_warm_too(port: int) -> None:
    """Exit code 0 without ever serving."""
    run_until_warm(python(""), port, poll_seconds=0.01)


def test_a_server_that_dies_while_compiling_is_a_failure(port: int) -> None:
    """Its exit code is in the message."""
    with pytest.raises(WarmUpFailed, match="exit code 3 before it was warm"):
        run_until_warm(python("raise SystemExit(3)"), port, poll_seconds=0.01)


def filled(cache: Path, *names: str) -> Path:
    for name in names:
        (cache / name).mkdir(parents=True)
        (cache / name / "graph.neff").write_text(name)
    return cache


def test_only_missing_entries_are_promoted(tmp_path: Path) -> None:
    """Entries of the shared cache stay as they are."""
    local = filled(tmp_path / "local", "a", "b")
    shared = filled(tmp_path / "shared", "b")
    assert promote(local, shared, python(COPY)) == ["a"]
    assert entries(shared) == {"a", "b"}


def test_a_cache_that_is_complete_calls_no_promoter(tmp_path: Path) -> None:
    """Importing the framework takes minutes."""
    local, shared = filled(tmp_path / "local", "a"), filled(tmp_path / "shared", "a")
    assert promote(local, shared, python("raise SystemExit(1)")) == []


def test_an_entry_that_does_not_arrive_is_a_failure(tmp_path: Path) -> None:
    """A promoter that says nothing and does nothing."""
    with pytest.raises(WarmUpFailed, match="1 compiled graphs are not in"):
        promote(filled(tmp_path / "local", "a"), tmp_path / "shared", python(""))


def test_what_was_compiled_waits_for_a_volume_that_takes_no_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The graphs are not compiled again: hours of work."""
    local, volume = filled(tmp_path / "local", "a"), tmp_path / "volume"
    volume.write_text("not mounted yet")

    def mount(_: float) -> None:
        volume.unlink()
        volume.mkdir()

    monkeypatch.setattr(warm_cache.time, "sleep", mount)
    assert once_writable(volume, lambda: promote(local, volume / "shared", python(COPY))) == ["a"]
    assert "takes no writes (Not a directory): it is waited for" in capfd.readouterr().err
    assert [each.name for each in volume.iterdir()] == ["shared"]


def test_a_volume_that_stays_away_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_cache, "VOLUME_SECONDS", 0.0)
    monkeypatch.setattr(warm_cache, "VOLUME_POLL_SECONDS", 0.0)
    with pytest.raises(WarmUpFailed, match="took no writes for 0 minutes: No such file"):
        once_writable(tmp_path / "missing", lambda: run_to_end(python("raise SystemExit(1)")))


def test_a_failure_on_a_volume_that_takes_writes_is_not_repeated(tmp_path: Path) -> None:
    runs: list[int] = []

    def fail() -> None:
        runs.append(1)
        raise WarmUpFailed("no model")

    with pytest.raises(WarmUpFailed, match="no model"):
        once_writable(tmp_path, fail)
    assert (len(runs), list(tmp_path.iterdir())) == (1, [])


def test_each_pod_takes_the_graph_of_its_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Pod 1 compiles the second graph, into the cache that its environment names."""
    graphs = [{"name": name, "kind": "command", "args": python(f"print('{name} ran')")} for name in ("one", "two")]
    (tmp_path / "graphs.json").write_text(json.dumps(graphs))
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "1")
    monkeypatch.setenv("NEURON_COMPILE_CACHE_URL", "s3://bucket/cache")
    assert main(str(tmp_path / "graphs.json")) == 0
    out = capfd.readouterr().out
    assert "two ran" in out
    assert "one ran" not in out
    assert "in s3://bucket/cache" in out


def test_a_failure_ends_with_1_and_the_graphs_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """So that the Job counts it and the log says which."""
    graph = {"name": "broken", "kind": "command", "args": python("raise SystemExit(9)")}
    (tmp_path / "graphs.json").write_text(json.dumps([graph]))
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "0")
    monkeypatch.setenv("NEURON_COMPILE_CACHE_URL", str(tmp_path))
    assert main(str(tmp_path / "graphs.json")) == 1
    err = capfd.readouterr().err
    assert "broken:" in err
    assert "exit code 9" in err


# Leaves a graph and a failed entry, then ends as it is told.
COMPILES = """
import pathlib, sys
cache = pathlib.Path(sys.argv[1]) / "neuronxcc-2.27"
for name, file in (("MODULE_good", "model.neff"), ("MODULE_bad", "model.log"), ("MODULE_retried", "model.log")):
    (cache / name).mkdir(parents=True)
    (cache / name / file).touch()
(cache / "MODULE_retried" / "model.neff").touch()
sys.exit(int(sys.argv[2]))
"""


@pytest.mark.parametrize("status", [0, 1])
def test_what_did_not_fail_is_promoted_also_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """A failed entry fails for every reader, and hours of compiling are not lost by a later graph."""
    local, shared = tmp_path / "local", tmp_path / "shared"
    copy = "import shutil, sys\nshutil.copytree(sys.argv[1], sys.argv[2])"
    monkeypatch.setattr(warm_cache, "SYNC", python(copy))
    command = python(COMPILES, str(local), str(status))
    if status:
        with pytest.raises(WarmUpFailed, match="exit code 1"):
            warm_cache.compiled_apart(command, local, str(shared))
    else:
        assert warm_cache.compiled_apart(command, local, str(shared)) == f"in {shared}, 1 failed entries left out"
    assert {path.parent.name for path in shared.glob("**/model.neff")} == {"MODULE_good", "MODULE_retried"}
    assert not (shared / "neuronxcc-2.27" / "MODULE_bad").exists()
