"""Folders of a command go with it; those of a killed one go with the next."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from local_aws.custom_resources.published_lambda import folder_of_programs
from neuron_cluster.deploy.disk import DiskError
from neuron_cluster.deploy.work_folder import PREFIX, STALE_SECONDS, remove_stale, work_folder


def aged(folder: Path) -> Path:
    old = time.time() - STALE_SECONDS - 60
    os.utime(folder, (old, old))
    return folder


def left_behind(parent: Path, name: str) -> Path:
    """As a killed command leaves it."""
    folder = parent / f"neuron-cluster-{name}"
    folder.mkdir()
    (folder / ".held").touch()
    (folder / "asset.zip").write_bytes(b"x" * 1000)
    return aged(folder)


def test_a_folder_is_private_and_goes_with_the_block(tmp_path: Path) -> None:
    with work_folder(tmp_path) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "file").touch()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_command_left_is_removed_after_an_hour(tmp_path: Path) -> None:
    left_behind(tmp_path, "old")
    recent = left_behind(tmp_path, "recent")
    os.utime(recent)
    with work_folder(tmp_path) as folder:
        assert set(tmp_path.iterdir()) == {folder, recent}


def test_the_folder_of_a_running_command_stays_however_old_it_is(tmp_path: Path) -> None:
    with work_folder(tmp_path) as running:
        aged(running)
        with work_folder(tmp_path):
            assert running.is_dir()


def test_nothing_else_is_removed(tmp_path: Path) -> None:
    """Neither what a link leads to, nor files, nor folders of other names."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.tex").touch()
    (tmp_path / "neuron-cluster-link").symlink_to(aged(precious))
    (tmp_path / "neuron-cluster-file").touch()
    aged(tmp_path / "neuron-cluster-file")
    with work_folder(tmp_path):
        pass
    assert (precious / "thesis.tex").exists()
    assert (tmp_path / "neuron-cluster-file").exists()


def test_a_place_that_does_not_exist_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DiskError, match="nothing can be written in") as caught, work_folder(tmp_path / "absent"):
        pass
    assert caught.value.hint


def test_the_programs_of_a_local_aws_that_runs_for_hours_stay() -> None:
    """It unpacks them once, and its folder has the prefix, so that the next command removes it after a `kill -9`."""
    folder = folder_of_programs()
    aged(folder)
    remove_stale(folder.parent, PREFIX)
    assert folder.is_dir()
    assert folder.name.startswith(PREFIX)
