"""The base class of the catalog's rows: name, source of the facts, date of the check, doubts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap

NOTHING_DOUBTED: FrozenMap[str, str] = FrozenMap()


class SourcedRow(Struct, frozen=True, kw_only=True):
    """One row. ``doubt`` maps a field of the row to the reason why its value is not certain."""

    name: str
    source: str
    checked_on: date
    doubt: FrozenMap[str, str] = NOTHING_DOUBTED

    def doubt_about(self, field: str) -> str | None:
        """Why the value of ``field`` is not certain, or None. A rule that uses a value in doubt only warns."""
        return self.doubt.get(field)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Fields of this row that contradict each other, each with the reason. Subclasses override this."""
        yield from ()
