"""Notes of the pods of one job to each other: empty files in a folder of the shared checkpoint volume.

A note is a new file, never changed and never renamed: that works on Lustre, EFS and on S3 mounts alike. What is there
at the start belongs to an earlier attempt and says nothing.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

OLD_SECONDS = 3600
"""Notes of this age are of an earlier attempt, however long a pod waited for its image."""
NAME = re.compile(r"^(\d+)-(.+)\.([a-z]+)$")


class Note(StrEnum):
    """What a pod tells the others. The value is the suffix of the file."""

    SAVE = "save"
    FAILED = "failed"
    LOST = "lost"
    """A node or one of its Neuron devices: not the program's failure."""
    BEAT = "beat"
    """Of a pod that is alive, again and again."""
    QUIET = "quiet"
    """Of a pod that writes no BEAT any more and is not lost."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the folder. ``at`` in nanoseconds, by the clock of the pod."""

    at: int
    pod: str
    note: Note


class NoteFolder:
    """The folder. Each call raises OSError, or waits as long as the volume does."""

    def __init__(self, folder: Path, pod: str) -> None:
        self._folder = folder
        self._pod = pod
        self._earlier: set[str] = set()
        self._beat: Path | None = None

    def open(self) -> None:
        """Creates the folder; the notes that it has now are those of earlier attempts."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._earlier = {path.name for path in self._folder.iterdir()}

    def write(self, note: Note) -> Path:
        path = self._folder / f"{time.time_ns()}-{self._pod}.{note}"
        path.touch()
        return path

    def beat(self) -> None:
        """Writes the next BEAT in the place of the last one."""
        last, self._beat = self._beat, self.write(Note.BEAT)
        if last:
            last.unlink(missing_ok=True)

    def read(self) -> list[Entry]:
        """What the pods of this attempt, this one included, have written."""
        return _entries({path.name for path in self._folder.iterdir()} - self._earlier)

    def earlier(self) -> list[Entry]:
        """What those of earlier attempts have written."""
        return _entries(self._earlier)

    def delete_old(self) -> None:
        """Deletes notes of earlier attempts. A volume that does not permit it keeps them: they say nothing."""
        youngest = time.time_ns() - OLD_SECONDS * 10**9
        for name in self._earlier:
            found = NAME.match(name)
            if found and int(found[1]) < youngest:
                with contextlib.suppress(OSError):
                    (self._folder / name).unlink()


def _entries(names: Iterable[str]) -> list[Entry]:
    found = (NAME.match(name) for name in names)
    known = {str(note) for note in Note}
    return [Entry(int(name[1]), name[2], Note(name[3])) for name in found if name and name[3] in known]
