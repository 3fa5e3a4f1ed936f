"""Workers of a parallel run share an environment, and one that was interrupted is made again."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .kept_environment import python_with

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def test_one_of_several_workers_makes_the_environment(tmp_path: Path) -> None:
    lock, folder = tmp_path / "empty.lock", tmp_path / "build" / "made"
    lock.touch()

    def made(_worker: int) -> tuple[int, int]:
        """When the environment that this worker uses was begun and finished."""
        python_with(lock, folder)
        return (folder / "pyvenv.cfg").stat().st_mtime_ns, (folder / "installed").stat().st_mtime_ns

    with ThreadPoolExecutor(2) as workers:
        times = set(workers.map(made, range(2)))
    assert times == {made(0)}


def test_an_environment_that_was_not_finished_is_made_anew(tmp_path: Path) -> None:
    lock, folder = tmp_path / "empty.lock", tmp_path / "made"
    lock.touch()
    folder.mkdir()
    (folder / "pyvenv.cfg").write_text("home = /nonexistent\n")
    python = python_with(lock, folder)
    assert subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0
