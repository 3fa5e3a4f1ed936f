"""A file is written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.atomic_write import write_atomically
from neuron_cluster.errors import ToolkitError


def test_folders_are_made_where_that_is_asked_for(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a" / "b" / "c", b"new", with_folders=True)
    assert (tmp_path / "a" / "b" / "c").read_bytes() == b"new"
    with pytest.raises(ToolkitError, match=r"there is no folder .*/mistyped$"):
        write_atomically(tmp_path / "mistyped" / "c", b"new")
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_a_pipe_or_folder_is_not_replaced(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "there")
    before = (tmp_path / "there").stat()
    with pytest.raises(ToolkitError, match="is not a regular file"):
        write_atomically(tmp_path / "there", b"new")
    assert (tmp_path / "there").stat() == before
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_an_existing_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_to_itself_is_replaced(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    write_atomically(link, b"new")
    assert (link.is_symlink(), link.read_bytes()) == (False, b"new")


def test_a_place_that_cannot_be_written_is_an_error_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(ToolkitError, match="cannot be written"):
        write_atomically(tmp_path / "file" / "below", b"new", with_folders=True)
    with pytest.raises(ToolkitError, match="cannot be written: File name too long"):
        write_atomically(tmp_path / ("n" * 300), b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
