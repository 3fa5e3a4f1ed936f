"""Node labels that name the place of a node in the network of AWS."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class NetworkTopology(SourcedRow, frozen=True, kw_only=True):
    """``labels``, the broadest layer first, of nodes of ``instance_types``."""

    labels: tuple[str, ...]
    instance_types: tuple[str, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if len(set(self.labels)) != len(self.labels) or not self.labels:
            yield "labels", "has no label, or one twice"


@functools.cache
def network_topologies() -> FrozenMap[str, NetworkTopology]:
    """All rows by name."""
    return read_rows(DATA_DIRECTORY / "network_topologies.yaml", NetworkTopology)


def network_topology_of(instance_type: str) -> NetworkTopology | None:
    """The labels of nodes of this type; None where no source lists any."""
    return next((row for row in network_topologies().values() if instance_type in row.instance_types), None)
