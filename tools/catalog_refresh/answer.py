"""Changes of the catalog by a query of the account, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

Value = str | Mapping[str, str]
"""A value as it stands in YAML: a number, word or flow list; or the pairs of a mapping."""


@dataclass(frozen=True)
class Change:
    """One field of one row, or with ``row`` empty a whole row that goes to the top of the file."""

    file: Path
    row: str
    field: str
    value: Value


@dataclass
class Answer:
    """Changes to make, and lines for the person who reads the diff."""

    changes: list[Change] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rows_to_add: list[str] = field(default_factory=list)
    """Rows of the account that the catalog does not have; a person completes and adds them."""

    def add(self, other: Answer) -> None:
        self.changes += other.changes
        self.notes += other.notes
        self.rows_to_add += other.rows_to_add
