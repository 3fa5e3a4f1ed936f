"""Workloads that fill the compile cache: charts with Kubernetes, jobs with other providers."""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec import Struct

from neuron_cluster.protocol.registry import registered
from neuron_cluster.workloads.recipes import RECIPES


class CacheFiller(Struct, frozen=True):
    """One of them."""

    name: str
    options: str = ""
    """That its command requires."""

    def command(self, environment: str) -> str:
        return " ".join(filter(None, ("neuron-cluster workload submit", self.name, environment, self.options)))


def cache_fillers(sections: Container[str | int]) -> tuple[CacheFiller, ...]:
    """Those that run on a cluster of an environment with these sections of providers; none for workstations."""
    return tuple(_cache_fillers(sections))


def _cache_fillers(sections: Container[str | int]) -> Iterator[CacheFiller]:
    for each in registered():
        if each.section.key not in sections:
            continue
        if each.runs_charts:
            yield from (CacheFiller(recipe.chart) for recipe in RECIPES.values() if recipe.fills_compile_cache)
        for job in each.jobs():
            if job.fills_compile_cache:
                yield CacheFiller(job.name, f"--run {job.words}" if job.needs_words else "")
