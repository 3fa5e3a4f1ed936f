"""Notes of the pods of one job to each other: empty files in a folder of the shared checkpoint volume.

A note is a new file, never changed and never renamed: that works on Lustre, EFS and on S3 mounts alike. What is there
at the start belongs to an earlier attempt and says nothing.
"""

from __future__ import annotations

import contextlib
import re
import time
from enum import StrEnum
from pathlib import Path

OLD_SECONDS = 3600
"""Notes of this age are of an earlier attempt, however long a pod waited for its image."""
NAME = re.compile(r"^(\d+)-(.+)\.([a-z]+)$")


class Note(StrEnum):
    """What a pod tells the others. The value is the suffix of the file."""

    SAVE = "save"
    FAILED = "failed"


class NoteFolder:
    """The folder. Each call raises OSError, or waits as long as the volume does."""

    def __init__(self, folder: Path, pod: str) -> None:
        self._folder = folder
        self._pod = pod
        self._earlier: set[str] = set()

    def open(self) -> None:
        """Creates the folder; the notes that it has now are those of earlier attempts."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._earlier = {path.name for path in self._folder.iterdir()}

    def write(self, note: Note) -> None:
        (self._folder / f"{time.time_ns()}-{self._pod}.{note}").touch()

    def read(self) -> set[Note]:
        """What the pods of this attempt, this one included, have written."""
        names = {path.name for path in self._folder.iterdir()} - self._earlier
        suffixes = {name.rpartition(".")[2] for name in names}
        return {note for note in Note if note in suffixes}

    def delete_old(self) -> None:
        """Deletes notes of earlier attempts. A volume that does not permit it keeps them: they say nothing."""
        youngest = time.time_ns() - OLD_SECONDS * 10**9
        for name in self._earlier:
            found = NAME.match(name)
            if found and int(found[1]) < youngest:
                with contextlib.suppress(OSError):
                    (self._folder / name).unlink()
