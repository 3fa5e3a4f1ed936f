"""Checkpoints as files: ``step-N`` is complete, because it was renamed to this name. One process writes them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

COMPLETE = re.compile(r"step-(\d+)")
PARTIAL = ".partial"


@dataclass(frozen=True, slots=True)
class FileCheckpoints:
    """The newest ``keep`` of a folder."""

    folder: Path
    keep: int

    def save(self, step: int, state: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        staged = self.folder / f"step-{step:08d}{PARTIAL}"
        with staged.open("wb") as target:
            target.write(state)
            target.flush()
            os.fsync(target.fileno())
        staged.replace(self.folder / f"step-{step:08d}")
        for old in self._complete()[: -self.keep]:
            self.path(old).unlink(missing_ok=True)

    def newest(self) -> int | None:
        """The step of the newest complete one. What a killed process left behind is not one."""
        return max(self._complete(), default=None)

    def path(self, step: int) -> Path:
        return self.folder / f"step-{step:08d}"

    def _complete(self) -> list[int]:
        names = (path.name for path in self.folder.glob("step-*"))
        return sorted(int(found[1]) for name in names if (found := COMPLETE.fullmatch(name)))
