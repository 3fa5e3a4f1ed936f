"""``tools/run_tests.py``: its processes share the files, and a run ends with one summary and no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PYTEST_OPTIONS = ("-c", str(ROOT / "pyproject.toml"), "-p", "tests.system_tests")
"""The test files here are in a folder without a ``conftest.py``."""
Run = Callable[..., "subprocess.CompletedProcess[str]"]
LEFT = """
import subprocess
def test_leaves_a_process():
    subprocess.run(["sh", "-c", "setsid sleep 600 >/dev/null &"])
"""
STARTED = """
import pathlib, time
def test_waits():
    pathlib.Path({path!r}).touch()
    time.sleep(600)
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "tools" / "run_tests.py"), *arguments]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``run(name=text, …, options=…)``: the run of these test files."""
    monkeypatch.delenv("NEURON_CLUSTER_SYSTEM_TESTS", raising=False)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # half of the start of a process

    def run_files(*options: str, required: bool = False, **files: str) -> subprocess.CompletedProcess[str]:
        for name, text in files.items():
            (tmp_path / f"test_{name}.py").write_text(text)
        variables = {"NEURON_CLUSTER_SYSTEM_TESTS": "required"} if required else {}
        arguments = command("-n", "2", *options, str(tmp_path), "--", *PYTEST_OPTIONS)
        return subprocess.run(arguments, capture_output=True, text=True, check=False, env=os.environ | variables)

    return run_files


def last_line(ran: subprocess.CompletedProcess[str]) -> str:
    return ran.stdout.splitlines()[-1].partition(" in ")[0]


def test_each_file_runs_once_and_the_counts_are_those_of_all_processes(run: Run, tmp_path: Path) -> None:
    one = f"def test_it():\n    with open({str(tmp_path / 'ran')!r}, 'a') as ran: ran.write('x')\n"
    ran = run(
        **{f"file{number}": one for number in range(8)}, skipped="import pytest\ndef test_it(): pytest.skip('x')\n"
    )
    assert (ran.returncode, last_line(ran)) == (0, "8 passed, 1 skipped"), ran.stdout
    assert (tmp_path / "ran").read_text() == "x" * 8


def test_a_failure_is_named_with_its_traceback_and_fails_the_run(run: Run) -> None:
    ran = run(good="def test_it(): pass\n", bad="def test_it():\n    assert 1 == 2\n", broken="import no_such_module\n")
    assert (ran.returncode, last_line(ran)) == (1, "1 failed, 1 error, 1 passed"), ran.stdout
    assert "assert 1 == 2" in ran.stdout
    assert "No module named 'no_such_module'" in ran.stdout


def test_marks_and_names_select_tests_and_none_is_status_5(run: Run) -> None:
    files = {"some": "import pytest\n@pytest.mark.slow\ndef test_slow(): pass\ndef test_quick(): pass\n"}
    assert last_line(run("-m", "not slow", **files)) == "1 passed"
    none = run("-k", "nothing", **files)
    assert (none.returncode, last_line(none)) == (5, "no tests ran")


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")
def test_a_process_that_outlives_the_tests_is_killed_and_fails_the_run(run: Run) -> None:
    ran = run(left=LEFT)
    assert (ran.returncode, last_line(ran)) == (1, "1 passed"), ran.stdout
    assert "a process outlived the tests and was killed: sleep 600" in ran.stdout


def test_system_tests_of_all_processes_are_counted_where_they_are_required(run: Run) -> None:
    system = "import pytest\n@pytest.mark.system\ndef test_it(): pass\n"
    other = "def test_it(): pass\n"
    assert run(required=True, system=system, other=other).returncode == 0
    without = run("-m", "not system", required=True, system=system, other=other)
    assert without.returncode == 1
    assert "no test with the marker system was run" in without.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_processes(number: signal.Signals, tmp_path: Path) -> None:
    started = tmp_path / "started"
    (tmp_path / "test_waits.py").write_text(STARTED.format(path=str(started)))
    arguments = command(str(tmp_path), "--", *PYTEST_OPTIONS)
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        while not started.exists():
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait(timeout=60) == 2


def test_a_path_that_does_not_exist_is_an_error_of_the_command_line() -> None:
    ran = subprocess.run(command("tests/nothing.py::test_it"), capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "no such file or folder; for a test by its id use pytest itself" in ran.stderr
