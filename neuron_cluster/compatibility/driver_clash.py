"""Neuron runtimes that do not work, or may not work, with the driver of their hosts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from neuron_cluster.compatibility.neuron_software import meets
from neuron_cluster.resolved.neuron_host import outlives_chip

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.driver_conflict import DriverConflict
    from neuron_cluster.compatibility.neuron_software import NeuronSoftwareSet, WorkloadRuntime
    from neuron_cluster.resolved.neuron_host import NeuronHost


class DriverClash(Struct, frozen=True):
    """One runtime, the hosts of one image that it does not work with, and the catalog's row about it."""

    runtime: WorkloadRuntime
    hosts: tuple[NeuronHost, ...]
    conflict: DriverConflict

    @property
    def doubt(self) -> str | None:
        """Why it is not certain that they fail; None when it is."""
        of_conflict = next(iter(self.conflict.doubt.values()), None)
        return of_conflict or self.runtime.doubt or self.hosts[0].driver_doubt


def driver_clashes(software: NeuronSoftwareSet, catalog: Catalog) -> Iterator[DriverClash]:
    """Every pair that fails or may fail, by runtime in the order of the file; hosts of one image together."""
    for runtime in software.runtimes:
        if runtime.version is None:  # rule W5014
            continue
        by_image: dict[tuple[str, str | None], list[NeuronHost]] = {}
        for host in software.hosts:
            if host.driver is not None and meets(runtime, host, catalog) and not outlives_chip(host, catalog):
                by_image.setdefault((host.image, host.driver_doubt), []).append(host)
        for alike in by_image.values():
            found = catalog.driver_conflicts.between(runtime.version, alike[0].driver or "")
            if found:
                yield DriverClash(runtime, tuple(alike), found[0])
