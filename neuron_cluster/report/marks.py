"""The mark on defaults."""

from __future__ import annotations

from collections.abc import Container

from msgspec import Struct

PathInFile = tuple[str | int, ...]

DEFAULT_MARK = " *"
LOCK_MARK = " (lock)"
"""On what the file leaves open and its lock pins."""
DEFAULT_NOTE = "not written in the file: a default, derived from the rest of it"


class Marks(Struct, frozen=True):
    """Knows which key paths the file names."""

    written: Container[PathInFile]

    def mark(self, path: PathInFile) -> str:
        """The mark, unless the file names this key."""
        return "" if path in self.written else DEFAULT_MARK
