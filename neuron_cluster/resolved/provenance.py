"""Where the value of each key comes from: the file, a default, or a repair."""

from __future__ import annotations

import enum
from collections.abc import Container
from typing import TYPE_CHECKING

from msgspec import Struct, field

from neuron_cluster.config.repairs import Repairs

if TYPE_CHECKING:
    from neuron_cluster.config.source_map import KeyPath


class Provenance(enum.Enum):
    """The provenance of one value."""

    GIVEN = "given"
    """The file has it."""
    DEFAULT = "default"
    """The file leaves it out."""
    REPAIRED = "repaired"
    """The toolkit replaces a broken value of the file, to check the rest of it."""


class Provenances(Struct, frozen=True):
    """The provenance of every key of one file. It contains the keys whose value is given."""

    in_file: Container[KeyPath] = frozenset()
    repairs: Repairs = field(default_factory=Repairs)

    def of(self, path: KeyPath) -> Provenance:
        if path in self.repairs.repaired:
            return Provenance.REPAIRED
        return Provenance.GIVEN if path in self.in_file else Provenance.DEFAULT

    def __contains__(self, path: object, /) -> bool:
        return isinstance(path, tuple) and self.of(path) is Provenance.GIVEN
