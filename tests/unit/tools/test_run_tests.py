"""``tools/run_tests.py``: its processes share the files, and a run ends with one summary and no process left."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.every_run import in_every_run

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
    pathlib.Path({path!r}).write_text("started")
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
        arguments = command("-n", "1", *options, str(tmp_path), "--", *PYTEST_OPTIONS)
        return subprocess.run(arguments, capture_output=True, text=True, check=False, env=os.environ | variables)

    return run_files


def last_line(ran: subprocess.CompletedProcess[str]) -> str:
    return ran.stdout.splitlines()[-1].partition(" in ")[0]


def test_files_are_shared_failures_named_and_processes_that_are_left_killed(run: Run, tmp_path: Path) -> None:
    one = f"def test_it():\n    with open({str(tmp_path / 'ran')!r}, 'a') as ran: ran.write('x')\n"
    others = {
        "bad": "def test_it():\n    assert 1 == 2\n",
        "broken": "import no_such_module\n",
        "left": LEFT,
        "skipped": "import pytest\ndef test_it(): pytest.skip('x')\n",
    }
    ran = run(**{f"file{number}": one for number in range(4)}, **others)
    assert (ran.returncode, last_line(ran)) == (1, "1 failed, 1 error, 5 passed, 1 skipped"), ran.stdout
    assert (tmp_path / "ran").read_text() == "x" * 4, "each file runs once"
    assert "assert 1 == 2" in ran.stdout
    assert "No module named 'no_such_module'" in ran.stdout
    if sys.platform == "linux":  # where orphans are adopted
        assert "a process outlived the tests and was killed: sleep 600" in ran.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux only")
def test_a_process_that_outlives_tests_that_pass_fails_the_run(run: Run) -> None:
    ran = run(left=LEFT)
    assert (ran.returncode, last_line(ran)) == (1, "1 passed"), ran.stdout


def test_marks_select_tests_of_all_processes(run: Run) -> None:
    """Tests with the marker ``system`` are counted over all processes where they are required."""
    files = {"some": "import pytest\n@pytest.mark.system\ndef test_one(): pass\ndef test_two(): pass\n"}
    all_of_them = run("-n", "2", required=True, other="def test_it(): pass\n", **files)
    assert (all_of_them.returncode, last_line(all_of_them)) == (0, "3 passed"), all_of_them.stdout
    without = run("-m", "not system", "-k", "two", required=True, **files)
    assert (without.returncode, last_line(without)) == (1, "1 passed"), without.stdout
    assert "no test with the marker system was run" in without.stdout


@pytest.mark.exhaustive
def test_no_test_is_status_5(run: Run) -> None:
    none = run("-k", "nothing", some="def test_one(): pass\n")
    assert (none.returncode, last_line(none)) == (5, "no tests ran")


@pytest.mark.parametrize("number", in_every_run([signal.SIGINT, signal.SIGTERM], [signal.SIGTERM]))
def test_a_signal_ends_the_processes(number: signal.Signals, tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    reader = os.open(started, os.O_RDONLY | os.O_NONBLOCK)
    (tmp_path / "test_waits.py").write_text(STARTED.format(path=str(started)))
    arguments = command("-n", "1", str(tmp_path), "--", *PYTEST_OPTIONS)
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        assert select.select([reader], [], [], 60)[0] == [reader]
        process.send_signal(number)
        assert process.wait(timeout=60) == 2
    os.close(reader)


def test_a_path_that_does_not_exist_is_an_error_of_the_command_line() -> None:
    ran = subprocess.run(command("tests/nothing.py::test_it"), capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "no such file or folder; for a test by its id use pytest itself" in ran.stderr
