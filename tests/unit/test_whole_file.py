"""A file is written whole or not at all."""

from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.whole_file import write_whole


def test_a_new_file_is_made_with_the_folders_around_it(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b", b"new")
    assert (tmp_path / "a" / "b").read_bytes() == b"new"


def test_an_existing_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_place_that_cannot_be_written_is_an_error_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(ToolkitError, match="cannot be written"):
        write_whole(tmp_path / "file" / "below", b"new")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ToolkitError, match="cannot be written"):
        write_whole(tmp_path / "folder", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
