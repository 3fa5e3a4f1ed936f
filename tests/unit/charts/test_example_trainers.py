"""The example trainers of charts/neuron-training: what needs no framework, and that all of them compile."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
import yaml

CHART = Path(__file__).parents[3] / "charts" / "neuron-training"
sys.path.insert(0, str(CHART / "files"))

from attempts import newest_checkpoint
from example_checkpoints import FileCheckpoints
from example_options import read_options


@pytest.fixture
def checkpoints(tmp_path: Path) -> FileCheckpoints:
    return FileCheckpoints(tmp_path / "run", keep=2)


def test_the_newest_checkpoints_stay_and_are_read_back(checkpoints: FileCheckpoints) -> None:
    assert checkpoints.newest() is None
    for step in (100, 200, 1000):
        checkpoints.save(step, str(step).encode())
    assert checkpoints.newest() == 1000
    assert checkpoints.path(1000).read_bytes() == b"1000"
    assert {path.name for path in checkpoints.folder.iterdir()} == {"step-00000200", "step-00001000"}


def test_what_a_killed_process_left_behind_is_no_checkpoint(checkpoints: FileCheckpoints) -> None:
    checkpoints.save(100, b"whole")
    (checkpoints.folder / "step-00000200").mkdir()
    (checkpoints.folder / "step-00000200" / "state").write_bytes(b"ha")
    assert checkpoints.newest() == 100
    checkpoints.save(200, b"whole")
    assert checkpoints.path(200).read_bytes() == b"whole"


def test_a_checkpoint_of_an_earlier_release_is_one_file(checkpoints: FileCheckpoints) -> None:
    checkpoints.folder.mkdir()
    (checkpoints.folder / "step-00000100").write_bytes(b"old")
    assert checkpoints.newest() == 100
    assert checkpoints.path(100).read_bytes() == b"old"
    checkpoints.save(100, b"new")
    assert checkpoints.path(100).read_bytes() == b"new"


def test_the_launcher_sees_that_the_checkpoint_is_newer(checkpoints: FileCheckpoints) -> None:
    """Restarts without a newer one are limited (restarts.maxWithoutCheckpoint)."""
    checkpoints.save(100, b"")
    first = newest_checkpoint(checkpoints.folder)
    checkpoints.save(200, b"")
    assert newest_checkpoint(checkpoints.folder) != first


def test_a_checkpoint_is_due_after_so_many_steps_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHECKPOINT_DIRECTORY", "/checkpoints/run")
    options = read_options(["--steps=250", "--checkpoint-every=100"])
    assert [step for step in range(1, 251) if options.is_due(step)] == [100, 200, 250]
    assert options.folder == Path("/checkpoints/run")


def test_without_a_volume_there_is_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHECKPOINT_DIRECTORY", raising=False)
    assert read_options([]).folder is None


def test_a_number_that_cannot_be_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read_options(["--steps=0"])
    assert "0 is not a positive number" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["example_jax", "example_nxd"])
def test_programs_that_no_test_can_run_compile(name: str) -> None:
    source = (CHART / "files" / f"{name}.py").read_text()
    compile(source, name, "exec")
    called = {
        node.func.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert {"read_options", "train"} <= called


def test_the_image_with_orbax_is_made_from_the_image_of_the_chart() -> None:
    image = yaml.safe_load((CHART / "values.yaml").read_text())["image"]
    lines = (CHART / "images" / "jax-orbax" / "Dockerfile").read_text().splitlines()
    assert f"FROM {image['repository']}:{image['tag']}" in lines
