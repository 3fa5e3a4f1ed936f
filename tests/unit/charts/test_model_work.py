"""The program of charts/model-store that runs tools: to tokenize, consolidate and convert."""

from __future__ import annotations

import fcntl
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parents[3] / "charts" / "model-store" / "files"
sys.path.insert(0, str(FILES))

from problem import DATA, NO_INPUT, RETRY, USAGE, Problem
from work import Work, main

WRITE = "import pathlib, sys; pathlib.Path(sys.argv[2], 'a').write_text(pathlib.Path(sys.argv[1], 'x').read_text())"


def task(tmp_path: Path, program: str = WRITE, **given: Any) -> dict[str, Any]:
    usual = {"job": "convert", "command": [sys.executable, "-c", program, "{input}", "{output}"]}
    usual |= {"input": str(tmp_path / "in"), "output": str(tmp_path / "out"), "marker": "manifest.json"}
    return usual | {"waitMinutes": 0, "keepIncomplete": False} | given


@pytest.fixture(autouse=True)
def complete_input(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/x").write_text("x")
    (tmp_path / "in/manifest.json").write_text("{}")


def problem(wanted: dict[str, Any]) -> Problem:
    with pytest.raises(Problem) as raised:
        Work(wanted, lambda _: None).run()
    return raised.value


def test_the_result_gets_its_name_with_a_manifest(tmp_path: Path) -> None:
    assert "is complete: 1 files" in Work(task(tmp_path)).run()
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["a", "manifest.json"]
    found = json.loads((tmp_path / "out/manifest.json").read_text())
    assert found["files"][0]["path"] == "a"
    assert found["origin"]["job"] == "convert"
    assert [each.name for each in tmp_path.iterdir() if "incomplete" in each.name] == []


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    Work(task(tmp_path)).run()
    (tmp_path / "in/manifest.json").unlink()
    assert "nothing to do" in Work(task(tmp_path)).run()


def test_a_result_of_another_command_is_not_overwritten(tmp_path: Path) -> None:
    Work(task(tmp_path)).run()
    found = problem(task(tmp_path, "print(1)"))
    assert (found.code, "nothing is overwritten" in str(found)) == (USAGE, True)
    assert (tmp_path / "out/a").read_text() == "x"


def test_a_folder_that_this_chart_did_not_make_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert "has no manifest" in str(problem(task(tmp_path)))


def test_a_result_that_lost_a_file_is_named(tmp_path: Path) -> None:
    Work(task(tmp_path)).run()
    (tmp_path / "out/a").unlink()
    found = problem(task(tmp_path))
    assert (found.code, "lacks 1 files, such as a" in str(found)) == (DATA, True)


def test_an_input_that_is_not_complete_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "in/manifest.json").unlink()
    found = problem(task(tmp_path))
    assert (found.code, "run the job that writes" in str(found)) == (NO_INPUT, True)
    assert not (tmp_path / "out").exists()


def test_an_input_that_another_job_still_writes_is_waited_for(tmp_path: Path) -> None:
    marker = tmp_path / "in/manifest.json"
    marker.unlink()
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            marker.touch()

    assert "is complete" in Work(task(tmp_path, waitMinutes=1), sleep).run()
    assert waited == [10.0] * 3


def test_a_tool_that_fails_leaves_no_result(tmp_path: Path) -> None:
    found = problem(task(tmp_path, "import sys; sys.exit(9)"))
    assert (found.code, "exit code 9" in str(found)) == (1, True)
    assert not (tmp_path / "out").exists()


def test_a_tool_begins_with_an_empty_folder_unless_it_goes_on_by_itself(tmp_path: Path) -> None:
    half = "import pathlib, sys; pathlib.Path(sys.argv[2], 'half').touch(); sys.exit(1)"
    look = "import pathlib, sys; to = pathlib.Path(sys.argv[2]); (to / 'seen').write_text(str((to / 'half').exists()))"
    problem(task(tmp_path, half))
    Work(task(tmp_path, look)).run()
    assert (tmp_path / "out/seen").read_text() == "False"
    other = str(tmp_path / "other")
    problem(task(tmp_path, half, output=other, keepIncomplete=True))
    Work(task(tmp_path, look, output=other, keepIncomplete=True)).run()
    assert (tmp_path / "other/seen").read_text() == "True"


def test_a_tool_that_writes_nothing_or_does_not_exist_is_named(tmp_path: Path) -> None:
    assert "must name {output}" in str(problem(task(tmp_path, "pass")))
    found = problem(task(tmp_path, command=["no-such-tool"]))
    assert (found.code, "--front-end" in str(found)) == (USAGE, True)


def test_a_pod_of_a_lost_node_that_still_runs_is_waited_for(tmp_path: Path) -> None:
    with (tmp_path / ".out.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        found = problem(task(tmp_path))
        assert (found.code, "another pod writes" in str(found)) == (RETRY, True)
        assert not (tmp_path / "out").exists()

        def finish(_: float) -> None:
            """Acts as the other pod meanwhile."""
            fcntl.flock(held, fcntl.LOCK_UN)
            (tmp_path / ".out.lock").rename(tmp_path / "kept")
            Work(task(tmp_path)).run()

        assert "nothing to do" in Work(task(tmp_path), finish).run()


def test_a_result_waits_for_a_volume_that_fails_for_a_while(tmp_path: Path) -> None:
    """In the place of a full one: a name that cannot be taken."""
    taken = tmp_path / "out/other"
    program = f"{WRITE}; pathlib.Path({str(taken)!r}).mkdir(parents=True)"
    waits: list[float] = []

    def free(seconds: float) -> None:
        waits.append(seconds)
        taken.rmdir()

    assert "is complete" in Work(task(tmp_path, program), free).run()
    assert waits == [2.0]


def test_a_volume_that_fails_is_left_to_the_next_pod(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is too long stands for a call that fails."""
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task(tmp_path, output=str(tmp_path / ("x" * 300)))))
    assert main(str(path)) == RETRY
    assert "another pod tries again" in capsys.readouterr().err


def test_a_stopped_pod_stops_its_tool(tmp_path: Path) -> None:
    """The tool says that it runs, and is gone with the program."""
    runs = "import signal, sys; print('runs', flush=True); signal.pause()"
    path = tmp_path / "task.json"
    path.write_text(json.dumps(task(tmp_path, runs)))
    with subprocess.Popen([sys.executable, FILES / "work.py", path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while process.stdout.readline() != "runs\n":
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 143
        assert process.stdout.read() == "", "the tool has closed its output"
    assert not (tmp_path / "out").exists()
