"""Workloads that fill the compile cache, by the schedulers of each provider."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.protocol.scheduler import Scheduler


class CacheFiller(Struct, frozen=True):
    """One of them."""

    name: str
    options: str = ""
    """Options that its command requires."""

    def command(self, environment: str) -> str:
        return " ".join(filter(None, ("neuron-cluster workload submit", self.name, environment, self.options)))


def cache_fillers(schedulers: Iterable[Scheduler]) -> tuple[CacheFiller, ...]:
    """Returns the fillers that run on clusters with these schedulers; none for workstations."""
    workloads = (workload for scheduler in schedulers for workload in scheduler.workloads())
    return tuple(CacheFiller(found.name, found.needed_options) for found in workloads if found.fills_compile_cache)
