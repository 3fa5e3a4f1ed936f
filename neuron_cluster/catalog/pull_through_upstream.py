"""Public registries that ECR's pull-through cache supports, and their requirements."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


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


class UpstreamTable(Table[PullThroughUpstream]):
    def of_host(self, host: str) -> PullThroughUpstream | None:
        """The registry with this host in image references, or None where ECR does not support it."""
        return next((row for row in self if row.host == host), None)
