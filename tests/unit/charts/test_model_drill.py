"""The drill of charts/model-store: what it prints, how it ends, and that it leaves nothing behind."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

FILES = Path(__file__).parents[3] / "charts" / "model-store" / "files"
sys.path.insert(0, str(FILES))

from checkpoint_manifest import write_manifest
from drill import main
from problem import DATA, NO_INPUT


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task of the chart, for a run with two checkpoints."""
    for step in (100, 200):
        folder = tmp_path / "run" / f"step-{step}"
        folder.mkdir(parents=True)
        (folder / "a").write_bytes(b"a" * step)
        completed = f"2026-11-26T10:0{step // 100}:00Z"
        write_manifest(folder, step, parallelism={}, checksums=True, completed=completed)
    into = tmp_path / "disk" / ".checkpoint-drill"
    path = tmp_path / "task.json"
    path.write_text(json.dumps({"job": "drill", "source": str(tmp_path / "run"), "into": str(into), "waitSeconds": 0}))
    return path


def metrics(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out.splitlines()[0])


def test_a_complete_checkpoint_is_restored_and_nothing_stays(
    task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = tmp_path / "disk" / ".checkpoint-drill" / "of-a-killed-pod"
    left.mkdir(parents=True)
    (tmp_path / "disk" / "mine").touch()
    assert main(str(task)) == 0
    found = metrics(capsys)
    assert (found["restored"], found["missing"], found["bytes"], found["passed"]) == ("step-200", 0, 200, True)
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["mine"]


def test_a_fault_ends_the_job_and_names_what_can_be_restored(
    task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run" / "step-200" / "a").unlink()
    assert main(str(task)) == DATA
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[0])["missing"] == 1
    assert "step-200: a is missing: the manifest has it with 200 bytes" in out
    assert "1 faults; restored step-100: step 100" in err


def test_without_a_manifest_there_is_nothing_to_restore(
    task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "run").glob("*/_manifest.json"):
        path.unlink()
    assert main(str(task)) == NO_INPUT
    assert "there is no _manifest.json" in capsys.readouterr().err
