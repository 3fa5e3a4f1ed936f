"""A finding: what is wrong, where it is, and what to do about it."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from msgspec import Struct


class Severity(enum.StrEnum):
    """How bad a finding is. The first letter of a finding's id is the same."""

    ERROR = "error"
    WARNING = "warning"


class Location(Struct, frozen=True, order=True):
    """A place in a file that the reader can open.

    ``line`` and ``column`` count from 1; 0 means "the file as a whole". ``path`` is the key path as a
    it is written: ``eks.node_groups[1].count.max``; empty for the whole document. ``extended_by`` is the environment
    file that was read, where ``file`` is a base of it; else empty.
    """

    file: str
    line: int = 0
    column: int = 0
    path: str = ""
    extended_by: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class Finding(Struct, frozen=True):
    """One mistake: a stable id (``E3001``, ``W3009``), where, what was found, and what to do.

    ``message`` has what was given and what is allowed; ``hint`` what to change.
    """

    id: str
    location: Location
    message: str
    hint: str

    @property
    def severity(self) -> Severity:
        return Severity.ERROR if self.id.startswith("E") else Severity.WARNING

    def as_dict(self) -> dict[str, str | int | None]:
        """The form that ``--format json`` prints; a file, place or key that there is none of is null.

        ``extended_by`` is there for a finding in a base alone.
        """
        extended_by = {"extended_by": self.location.extended_by} if self.location.extended_by else {}
        return {
            "id": self.id,
            "severity": self.severity.value,
            "file": self.location.file or None,
            "line": self.location.line or None,
            "column": self.location.column or None,
            "path": self.location.path or None,
            **extended_by,
            "message": self.message,
            "hint": self.hint,
        }


def in_reading_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sorts as a person reads the file: by place, then by id."""
    return sorted(findings, key=lambda f: (f.location, f.id, f.message))


def has_error(findings: Iterable[Finding]) -> bool:
    return any(f.severity is Severity.ERROR for f in findings)
