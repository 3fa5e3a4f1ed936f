"""Numbers of connected Neuron devices that a pod can have."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class PodDeviceCounts(SourcedRow, frozen=True, kw_only=True):
    """``counts``, ascending, of the devices of a node of one of the ``instance_types``."""

    counts: tuple[int, ...]
    instance_types: tuple[str, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if list(self.counts) != sorted(set(self.counts)) or len(self.counts) < 2:  # noqa: PLR2004 - one and all
            yield "counts", "are not in ascending order, or fewer than two"


@functools.cache
def all_pod_device_counts() -> FrozenMap[str, PodDeviceCounts]:
    """All rows by name."""
    return read_rows(DATA_DIRECTORY / "pod_device_counts.yaml", PodDeviceCounts)


def pod_device_counts(instance_type: str) -> tuple[int, ...]:
    """Returns the numbers of devices that a pod can request; empty where no source states a restriction."""
    rows = all_pod_device_counts().values()
    return next((row.counts for row in rows if instance_type in row.instance_types), ())
