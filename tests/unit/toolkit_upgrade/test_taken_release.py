"""A release is taken as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.toolkit_upgrade.repository_files import FileState, FileUpgrade
from neuron_cluster.toolkit_upgrade.taken_release import take_release

OLD, NEW = "neuron-cluster-toolkit==1.0\n", "neuron-cluster-toolkit==2.0\n"
ANEW = FileUpgrade("cdk.json", FileState.UNEDITED, b"{}", b"{1}")
ADDED = FileUpgrade("ci/new.yaml", FileState.NEW, None, b"new")
LEFT = FileUpgrade("README.md", FileState.EDITED, b"mine", b"theirs")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in {"requirements.txt": OLD, "cdk.json": "{}", "README.md": "mine"}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_unedited_files_and_the_pin_are_written(repository: Path) -> None:
    assert take_release(repository, "2.0", [ANEW, ADDED, LEFT]) == ["cdk.json", "ci/new.yaml", "requirements.txt"]
    assert texts(repository) == {
        "requirements.txt": NEW, "cdk.json": "{1}", "README.md": "mine", "ci/new.yaml": "new",
    }  # fmt: skip


def test_a_file_that_was_edited_meanwhile_stops_it(repository: Path) -> None:
    (repository / "cdk.json").write_text("{2}")
    before = texts(repository)
    with pytest.raises(ToolkitError, match=r"cdk\.json was written while the releases were compared"):
        take_release(repository, "2.0", [ADDED, ANEW])
    assert texts(repository) == before


def test_a_file_that_cannot_be_written_restores_the_others(repository: Path) -> None:
    before = texts(repository)
    impossible = FileUpgrade("cdk.json/new.yaml", FileState.NEW, None, b"x")
    with pytest.raises(ToolkitError, match="cannot be written"):
        take_release(repository, "2.0", [ANEW, impossible])
    assert texts(repository) == before
