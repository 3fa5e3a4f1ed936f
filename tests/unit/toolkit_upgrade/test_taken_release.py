"""A release is taken as a whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.toolkit_upgrade.release import Release
from neuron_cluster.toolkit_upgrade.repository_files import FileState, FileUpgrade
from neuron_cluster.toolkit_upgrade.taken_release import take_release

CATALOG = load_catalog()

OLD, NEW = "neuron-cluster-toolkit==1.0\n", "neuron-cluster-toolkit==2.0\n"
TAKEN = Release("2.0", Path("python"))
ANEW = FileUpgrade("cdk.json", FileState.UNEDITED, b"{}", b"{1}")
ADDED = FileUpgrade("ci/new.yaml", FileState.NEW, None, b"new")
LEFT = FileUpgrade("README.md", FileState.EDITED, b"mine", b"theirs")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "clusters"
    folder.mkdir()
    for name, text in {"requirements.txt": OLD, "cdk.json": "{}", "README.md": "mine"}.items():
        (folder / name).write_text(text)
    return folder


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_unedited_files_and_the_pin_are_written(repository: Path) -> None:
    assert take_release(repository, TAKEN, [ANEW, ADDED, LEFT], CATALOG) == [
        "cdk.json",
        "ci/new.yaml",
        "requirements.txt",
    ]
    assert texts(repository) == {
        "requirements.txt": NEW, "cdk.json": "{1}", "README.md": "mine", "ci/new.yaml": "new",
    }  # fmt: skip


def test_a_file_that_was_edited_meanwhile_stops_it(repository: Path) -> None:
    (repository / "cdk.json").write_text("{2}")
    before = texts(repository)
    with pytest.raises(ToolkitError, match=r"cdk\.json was written while the releases were compared"):
        take_release(repository, TAKEN, [ADDED, ANEW], CATALOG)
    assert texts(repository) == before


def test_a_file_that_cannot_be_written_restores_the_others(repository: Path) -> None:
    before = texts(repository)
    impossible = FileUpgrade("cdk.json/new.yaml", FileState.NEW, None, b"x")
    with pytest.raises(ToolkitError, match="cannot be written"):
        take_release(repository, TAKEN, [ANEW, impossible], CATALOG)
    assert texts(repository) == before


def test_the_wheel_of_the_release_is_written_where_the_repository_has_wheels(repository: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "neuron_cluster_toolkit-2.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    (repository / "requirements.txt").write_text("# ours\n./wheels/neuron_cluster_toolkit-1.0-py3-none-any.whl\n")
    release = Release("2.0", Path("python"), wheel=wheel)
    written = ["requirements.txt", f"wheels/{wheel.name}"]
    assert take_release(repository, release, [], CATALOG) == written
    assert (repository / written[0]).read_text() == f"# ours\n./wheels/{wheel.name}\n"
    assert (repository / written[1]).read_bytes() == b"PK"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("neuron-cluster-toolkit==1.0  # ours", "{}  # ours"),
        ("neuron-cluster-toolkit[rehearse]==1.0", "{}[rehearse]"),
        ("neuron-cluster-toolkit>=1.0", "{}"),
    ],
)
def test_a_bare_name_becomes_the_wheel(line: str, after: str, repository: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "neuron_cluster_toolkit-2.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    (repository / "requirements.txt").write_text(f"{line}\n")
    release = Release("2.0", Path("python"), wheel=wheel)
    assert take_release(repository, release, [], CATALOG) == ["requirements.txt", f"wheels/{wheel.name}"]
    assert (repository / "requirements.txt").read_text() == after.format(f"./wheels/{wheel.name}") + "\n"
    assert take_release(repository, release, [], CATALOG) == []


def test_a_name_of_an_index_of_the_user_stays_a_name(repository: Path, tmp_path: Path) -> None:
    text = "--index-url https://packages.example.com/simple\n"
    (repository / "requirements.txt").write_text(text + OLD)
    assert take_release(repository, Release("2.0", Path("python"), wheel=tmp_path / "none"), [], CATALOG) == [
        "requirements.txt"
    ]
    assert (repository / "requirements.txt").read_text() == text + NEW


def test_a_wheel_that_is_not_known_is_named_before_anything_is_written(repository: Path) -> None:
    (repository / "requirements.txt").write_text("./wheels/neuron_cluster_toolkit-1.0-py3-none-any.whl\n")
    before = texts(repository)
    with pytest.raises(ToolkitError, match=r"that of release 2\.0 is not known") as raised:
        take_release(repository, Release("2.0", Path("python")), [ANEW], CATALOG)
    assert raised.value.hint == "name the file of that release with --wheel FILE"
    assert texts(repository) == before
