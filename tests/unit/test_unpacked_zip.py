"""Unpacking is whole or not at all, and happens once."""

from __future__ import annotations

import io
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from neuron_cluster.unpacked_zip import unpack_once


def _archive(**files: str) -> zipfile.ZipFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return zipfile.ZipFile(packed)


def test_the_members_are_there_and_can_be_run(tmp_path: Path) -> None:
    folder = unpack_once(_archive(tool="#!/bin/sh", other="x"), tmp_path / "cache" / "v1", ["tool"])
    assert [path.name for path in folder.iterdir()] == ["tool"]
    assert os.access(folder / "tool", os.X_OK)


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    first = unpack_once(_archive(tool="first"), tmp_path / "v1", ["tool"])
    unpack_once(_archive(tool="second"), tmp_path / "v1", ["tool"])
    assert (first / "tool").read_text() == "first"


def test_a_member_that_is_missing_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        unpack_once(_archive(tool="x"), tmp_path / "v1", ["tool", "missing"])
    assert list(tmp_path.iterdir()) == []


def test_many_at_the_same_time_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: unpack_once(_archive(tool="x" * 100_000), tmp_path / "v1", ["tool"]), range(16)))
    assert {(folder / "tool").stat().st_size for folder in done} == {100_000}
    assert [path.name for path in tmp_path.iterdir()] == ["v1"]
