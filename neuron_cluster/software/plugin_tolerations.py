"""Tolerations beside those that a chart brings by itself."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.software.values.pod_settings import Toleration


def beyond_default(
    chart: str, key: str, wanted: Sequence[Toleration], catalog: Catalog
) -> tuple[Toleration, ...] | None:
    """The tolerations at a key, when the chart's own do not cover ours: a list in values replaces the chart's list."""
    row = catalog.chart(chart)
    defaults = row.default_tolerations.get(key, ()) if row is not None else ()
    own = tuple(
        Toleration.read(
            {
                name: value
                for name in ("key", "operator", "value", "effect")
                if (value := getattr(each, name)) is not None
            }
        )
        for each in defaults
    )
    missing = tuple(toleration for toleration in wanted if toleration not in own)
    return (*own, *missing) if missing else None
