"""Checkpoints of the examples: a folder ``step-N`` with a file, complete by its manifest. One process writes them."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from checkpoint_manifest import MANIFEST, write_manifest

COMPLETE = re.compile(r"step-(\d+)")
STATE = "state"


@dataclass(frozen=True, slots=True)
class FileCheckpoints:
    """The newest ``keep`` of a folder."""

    folder: Path
    keep: int

    def save(self, step: int, state: bytes) -> None:
        target = self.folder / f"step-{step:08d}"
        self._delete(target)
        target.mkdir(parents=True)
        with (target / STATE).open("wb") as stream:
            stream.write(state)
            stream.flush()
            os.fsync(stream.fileno())
        write_manifest(target, step, parallelism={"files": 1}, checksums=True)
        for old in self._complete()[: -self.keep]:
            self._delete(self.folder / f"step-{old:08d}")

    def newest(self) -> int | None:
        """The step of the newest complete one. What a killed process left behind is not one."""
        return max(self._complete(), default=None)

    def path(self, step: int) -> Path:
        """The file with the state. Earlier releases of the chart wrote it without a folder."""
        path = self.folder / f"step-{step:08d}"
        return path if path.is_file() else path / STATE

    def _complete(self) -> list[int]:
        paths = (path for path in self.folder.glob("step-*") if path.is_file() or (path / MANIFEST).is_file())
        return sorted(int(found[1]) for path in paths if (found := COMPLETE.fullmatch(path.name)))

    def _delete(self, path: Path) -> None:
        if path.is_dir():
            (path / MANIFEST).unlink(missing_ok=True)
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
