"""A folder is written completely or not at all, and nothing in it is overwritten."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.new_folder import write_folder

FILES = {"README.md": "page\n", "jobs/training.yaml": "job\n"}


def _tree(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("exists", [False, True])
def test_a_new_or_empty_folder_gets_all_files(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "pack"
    if exists:
        folder.mkdir()
    write_folder(folder, FILES)
    assert _tree(folder) == FILES
    assert [each.name for each in tmp_path.iterdir()] == ["pack"]
    (tmp_path / "plain").mkdir()
    assert folder.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_an_empty_folder_keeps_its_place_for_a_shell_that_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pack"
    folder.mkdir(mode=0o750)
    before = folder.stat()
    monkeypatch.chdir(folder)
    files = {**FILES, ".github/workflows/check.yaml": "on: push\n"}
    write_folder(Path(), files)
    assert _tree(Path.cwd()) == files
    assert [(folder.stat().st_ino, folder.stat().st_mode)] == [(before.st_ino, before.st_mode)]


def test_a_page_may_have_a_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    write_folder(tmp_path / "pack", {"README.md": os.fsdecode(b"p\xff.yaml")})
    assert _tree(tmp_path / "pack") == {"README.md": "p\\udcff.yaml"}


def test_a_link_to_an_empty_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "pack").symlink_to("shared")
    write_folder(tmp_path / "pack", FILES)
    assert (tmp_path / "pack").is_symlink()
    assert _tree(tmp_path / "shared") == FILES


class Interrupted(dict[str, str]):
    """Files of which the last one takes until Ctrl-C."""

    def items(self) -> Any:
        yield from super().items()
        raise KeyboardInterrupt


@pytest.mark.parametrize("exists", [False, True])
def test_ctrl_c_leaves_nothing_half_written(tmp_path: Path, exists: bool) -> None:
    folder = tmp_path / "pack"
    if exists:
        folder.mkdir()
    with pytest.raises(KeyboardInterrupt):
        write_folder(folder, Interrupted(FILES))
    assert [each.name for each in tmp_path.rglob("*")] == (["pack"] if exists else [])


def test_a_folder_with_content_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(ToolkitError, match="is not empty") as caught:
        write_folder(tmp_path, FILES)
    assert "nothing that exists is overwritten" in caught.value.hint
    assert caught.value.message == f"{tmp_path} is not empty: notes"
    assert _tree(tmp_path) == {"notes": "mine"}


def test_a_file_and_a_link_to_nothing_are_no_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "absent")
    for name in ("file", "link"):
        with pytest.raises(ToolkitError, match="is not a folder"):
            write_folder(tmp_path / name, FILES)
    assert _tree(tmp_path) == {"file": "mine"}


def test_the_folder_above_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ToolkitError, match="there is no folder"):
        write_folder(tmp_path / "absent" / "pack", FILES)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_without_write_permission_nothing_is_written(tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir(mode=0o500)
    with pytest.raises(ToolkitError, match="Permission denied"):
        write_folder(above / "pack", FILES)


def test_a_place_that_takes_no_folder_is_an_error_with_the_reason() -> None:
    with pytest.raises(ToolkitError, match="cannot be written") as caught:
        write_folder(Path("/proc/pack"), FILES)
    assert "nothing was written" in caught.value.hint


@pytest.mark.parametrize("name", ["nul\0byte", "n" * 300])
def test_a_name_that_no_file_system_takes_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(ToolkitError, match="cannot be written"):
        write_folder(tmp_path / name, FILES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("exists", [False, True])
def test_a_failure_halfway_leaves_nothing(tmp_path: Path, exists: bool) -> None:
    if exists:
        (tmp_path / "pack").mkdir()
    with pytest.raises(ToolkitError, match="cannot be written"):
        write_folder(tmp_path / "pack", {**FILES, f"jobs/{'n' * 300}": "x"})
    assert [each.name for each in tmp_path.rglob("*")] == (["pack"] if exists else [])
