"""Open questions about HyperPod that a file depends on, each at the first key that makes it so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from neuron_cluster.providers.hyperpod.config.cluster import HyperPod

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.hyperpod_doubt import HyperPodDoubt
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

ITEMS = "[]"
SETTLED = ("life_cycle_config",)
"""Questions that no file depends on: each group has the script."""
OF_CHANGES = ("type_change", "two_clusters")
"""Questions about an edit, or about another environment."""
OF_EKS = ("chart_subset", "number_of_groups", "threads_per_core")
"""Questions that a cluster with Slurm does not have: about the chart, the guide of EKS, and a template without
ThreadsPerCore."""
REJECTED = ("small_neuron_types", "newer_kubernetes", "scheduler_config_regions")
"""Questions about values that rules E2205, E2203 and E2230 reject, and whose messages or hints state the doubt."""


def doubts_of(environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[tuple[HyperPodDoubt, KeyPath]]:
    """Yields each question once; none without a ``hyperpod`` section."""
    hyperpod = environment.config.section(HyperPod)
    if hyperpod is None:
        return
    others = {*SETTLED, *OF_CHANGES, *REJECTED}
    if hyperpod.slurm is not None:
        others.update(OF_EKS)
    if hyperpod.continuous:  # it cannot be added later
        others.add("continuous_later")
    for row in catalog.hyperpod_doubts:
        places = (
            path
            for key in row.keys
            for path, value in _values(environment.config, key.split("."), ())
            if row.is_about(key, value)
        )
        place = next(places, None) if _is_set(row.only_with, environment.config) else None
        if place is not None and row.name not in others:
            yield row, place


def _is_set(key: str | None, config: object) -> bool:
    return key is None or next(_values(config, key.split("."), ()), None) is not None


def _values(given: object, keys: Sequence[str], path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yields the places of a key, ``[]`` for every item of a list, with the values there as the file writes them.

    The value of a list is its number of items.
    """
    if given is None:
        return
    if not keys:
        value = len(given) if isinstance(given, list) else given
        yield path, str(value).lower() if isinstance(value, bool) else str(value)
        return
    name, *rest = keys
    inner: object = getattr(given, name.removesuffix(ITEMS), None)
    path = (*path, name.removesuffix(ITEMS))
    if not name.endswith(ITEMS):
        yield from _values(inner, rest, path)
    elif isinstance(inner, list):
        for position, item in enumerate(inner):
            yield from _values(item, rest, (*path, position))
