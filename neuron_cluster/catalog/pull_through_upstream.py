"""Public registries that ECR's pull-through cache supports, and their requirements."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow


class PullThroughUpstream(SourcedRow, frozen=True, kw_only=True):
    """One registry. ``name`` is its value in ECR's API.

    ``host`` is its host in image references, ``registry_url`` its value in a cache rule. ``needs_secret``: a cache rule
    requires a secret with the user's credentials.
    """

    title: str
    host: str
    registry_url: str
    needs_secret: bool

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for field in ("host", "registry_url"):
            if "/" in getattr(self, field):
                yield field, "is a host without scheme and path"


@functools.cache
def pull_through_upstreams() -> FrozenMap[str, PullThroughUpstream]:
    """All registries that ECR can cache, by ECR's name."""
    return read_rows(DATA_DIRECTORY / "pull_through_upstreams.yaml", PullThroughUpstream)


def pull_through_upstream_of(host: str) -> PullThroughUpstream | None:
    """The registry with this host in image references, or None where ECR does not support it."""
    return next((row for row in pull_through_upstreams().values() if row.host == host), None)
