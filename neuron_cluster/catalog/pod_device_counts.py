"""Numbers of connected Neuron devices that a pod can have."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.hyperpod_type import PREFIX
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class PodDeviceCounts(SourcedRow, frozen=True, kw_only=True):
    """``counts``, ascending, of the devices of a node of one of the ``instance_types``."""

    counts: tuple[int, ...]
    instance_types: tuple[str, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if list(self.counts) != sorted(set(self.counts)) or len(self.counts) < 2:  # noqa: PLR2004 - one and all
            yield "counts", "are not in ascending order, or fewer than two"


class PodDeviceCountsTable(Table[PodDeviceCounts]):
    def of_instance_type(self, name: str) -> tuple[int, ...]:
        """The numbers of devices that a pod can request; empty where no source states a restriction.

        A type of HyperPod has the connections of the EC2 type.
        """
        return next((row.counts for row in self if name.removeprefix(PREFIX) in row.instance_types), ())
