"""Unpacking is whole or not at all, and happens once."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from local_aws import unpacked_zip
from local_aws.unpacked_zip import NotAsExpected, unpack_once


def _archive(**files: str) -> zipfile.ZipFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return zipfile.ZipFile(packed)


def _digests(**files: str) -> dict[str, str]:
    return {name: hashlib.sha256(content.encode()).hexdigest() for name, content in files.items()}


def test_the_members_are_there_and_can_be_run(tmp_path: Path) -> None:
    folder = unpack_once(_archive(tool="#!/bin/sh", other="x"), tmp_path / "cache" / "v1", _digests(tool="#!/bin/sh"))
    assert [path.name for path in folder.iterdir()] == ["tool"]
    assert os.access(folder / "tool", os.X_OK)


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    first = unpack_once(_archive(tool="x"), tmp_path / "v1", _digests(tool="x"))
    before = (first / "tool").stat().st_mtime_ns
    unpack_once(_archive(tool="x"), tmp_path / "v1", _digests(tool="x"))
    assert (first / "tool").stat().st_mtime_ns == before


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_somebody_put_there_is_not_believed(tmp_path: Path, kind: str) -> None:
    planted = tmp_path / "elsewhere"
    planted.mkdir()
    (planted / "tool").write_text("planted")
    if kind == "file":
        (tmp_path / "v1").write_text("planted")
    elif kind == "folder":
        planted.rename(tmp_path / "v1")
    else:
        (tmp_path / "v1").symlink_to(planted)
    folder = unpack_once(_archive(tool="x"), tmp_path / "v1", _digests(tool="x"))
    assert (folder / "tool").read_text() == "x"
    assert not folder.is_symlink()


def test_another_content_is_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(NotAsExpected, match="another content"):
        unpack_once(_archive(tool="y"), tmp_path / "v1", _digests(tool="x"))
    assert list(tmp_path.iterdir()) == []


def test_a_bomb_is_refused_by_what_it_says_and_by_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than may be unpacked in a small file; and one that says it is small."""
    monkeypatch.setattr(unpacked_zip, "LARGEST", 1024**2)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("tool", "w") as member:
        member.write(bytes(2 * 1024**2))
    bomb = zipfile.ZipFile(packed)
    with pytest.raises(NotAsExpected, match="MiB when unpacked"):
        unpack_once(bomb, tmp_path / "v1", _digests(tool="x"))
    bomb.getinfo("tool").file_size = 1
    with pytest.raises(NotAsExpected):
        unpack_once(bomb, tmp_path / "v1", _digests(tool="x"))
    assert list(tmp_path.iterdir()) == []


def test_an_archive_with_a_duplicate_member_is_rejected(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile warns of what this test is about
        archive.writestr("tool", "x")
        archive.writestr("tool", "y")
    with pytest.raises(NotAsExpected, match="two members with one name"):
        unpack_once(zipfile.ZipFile(packed), tmp_path / "v1", _digests(tool="x"))


def test_a_member_that_is_missing_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        unpack_once(_archive(tool="x"), tmp_path / "v1", _digests(tool="x", missing=""))
    assert list(tmp_path.iterdir()) == []


def test_many_at_the_same_time_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        digests = _digests(tool="x" * 100_000)
        done = list(pool.map(lambda _: unpack_once(_archive(tool="x" * 100_000), tmp_path / "v1", digests), range(16)))
    assert {(folder / "tool").stat().st_size for folder in done} == {100_000}
    assert [path.name for path in tmp_path.iterdir()] == ["v1"]
