"""The Regions that are asked."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.suggestions import did_you_mean


def require_regions(names: Sequence[str], catalog: Catalog) -> tuple[str, ...]:
    """The names again. Raises ``ToolkitError`` for one that the catalog does not know, and when there is none."""
    if not names:
        raise ToolkitError(
            "the catalog knows no Region that has this type", hint="name those to ask: --region NAME,..."
        )
    for name in names:
        if catalog.region(name) is None:
            near = did_you_mean(catalog.near_regions(name))
            raise ToolkitError(
                f"{name!r} is no Region that the catalog knows",
                hint=f"{near}`neuron-cluster catalog regions` lists them",
            )
    return tuple(names)
