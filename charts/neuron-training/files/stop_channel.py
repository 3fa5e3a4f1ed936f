"""How the pods of one job tell each other to stop: small files in a folder of the shared checkpoint volume.

A drain reaches one pod, but a checkpoint needs every rank of every node. So the pod that is told to stop leaves a note,
and all others look for notes every few seconds. A note is a new file (never changed, never renamed: that works on
Lustre, EFS and on S3 mounts alike). What lies there at the start belongs to an earlier attempt and says nothing.
"""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path


class Note(StrEnum):
    """What a pod tells the others. The value is the suffix of the file."""

    SAVE = "save"
    FAILED = "failed"


class StopChannel:
    """The notes in ``folder``; without a folder (no shared volume) a pod hears its own notes only."""

    def __init__(self, folder: Path | None, pod: str) -> None:
        self._folder = folder
        self._pod = pod
        self._own: set[Note] = set()
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
        self._earlier = self._files()

    def leave(self, note: Note) -> None:
        """Tells all pods of this attempt, once."""
        if note in self._own:
            return
        self._own.add(note)
        if self._folder:
            (self._folder / f"{time.time_ns()}-{self._pod}.{note}").touch()

    def heard(self) -> Note | None:
        """What the pods of this attempt were told; a failure outweighs the wish to save, which it makes vain."""
        notes = {name.rpartition(".")[2] for name in self._files() - self._earlier} | self._own
        return next((note for note in (Note.FAILED, Note.SAVE) if note in notes), None)

    def _files(self) -> set[str]:
        return {path.name for path in self._folder.iterdir()} if self._folder else set()
