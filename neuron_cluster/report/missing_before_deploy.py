"""Missing parts of an environment before a deploy to AWS, as far as its file and its lock show."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.placeholders import placeholders
from neuron_cluster.plan.undecided_metadata import undecided_metadata

MOST_KEYS = 2
"""Keys that a line names; the others are counted."""


def missing_before_deploy(plan: ClusterPlan, catalog: Catalog, *, has_lock: bool) -> list[str]:
    """A few words for each part that is missing; empty when the file and the lock have everything."""
    return list(_missing(plan, catalog, has_lock=has_lock))


def _missing(plan: ClusterPlan, catalog: Catalog, *, has_lock: bool) -> Iterator[str]:
    if found := list(dict.fromkeys(path for path, _, _ in placeholders(plan, catalog.placeholder_accounts.names))):
        yield f"{_named(found)} {'are placeholders' if len(found) > 1 else 'is a placeholder'}"
    for path in (each.path for provider in plan.providers for each in provider.missing_images()):
        yield f"no AMI for {format_path(path)}"
    if not has_lock:
        yield "no lock"
    elif (undecided := undecided_metadata(plan)) is not None:
        yield f"neither the file nor the lock decides {format_path(undecided)} for plain cdk"


def _named(paths: list[KeyPath]) -> str:
    names = [format_path(path) for path in paths]
    if len(names) > MOST_KEYS + 1:
        names = [*names[:MOST_KEYS], f"{len(names) - MOST_KEYS} more keys"]
    return listed(names)
