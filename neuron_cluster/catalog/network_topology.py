"""Node labels that name the place of a node in the network of AWS."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class NetworkTopology(SourcedRow, frozen=True, kw_only=True):
    """``labels``, the broadest layer first, of nodes of ``instance_types``."""

    labels: tuple[str, ...]
    instance_types: tuple[str, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if len(set(self.labels)) != len(self.labels) or not self.labels:
            yield "labels", "has no label, or one twice"


class NetworkTopologyTable(Table[NetworkTopology]):
    def of_instance_type(self, name: str) -> NetworkTopology | None:
        """The labels of nodes of this type; None where no source lists any."""
        return next((row for row in self if name in row.instance_types), None)
