"""Workloads that fill the compile cache, by the schedulers of each provider."""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec import Struct

from neuron_cluster.protocol.registry import registered


class CacheFiller(Struct, frozen=True):
    """One of them."""

    name: str
    options: str = ""
    """Options that its command requires."""

    def command(self, environment: str) -> str:
        return " ".join(filter(None, ("neuron-cluster workload submit", self.name, environment, self.options)))


def cache_fillers(sections: Container[str | int]) -> tuple[CacheFiller, ...]:
    """Returns the fillers that run on clusters of an environment with these sections; none for workstations."""
    return tuple(_cache_fillers(sections))


def _cache_fillers(sections: Container[str | int]) -> Iterator[CacheFiller]:
    for each in registered():
        if each.section.key not in sections:
            continue
        workloads = (workload for scheduler in each.schedulers for workload in scheduler.workloads())
        yield from (CacheFiller(found.name, found.needed_options) for found in workloads if found.fills_compile_cache)
