"""Software of the cluster, as the file asks for it and the lock pins it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.eks import Eks
from neuron_cluster.lock.lock import Lock
from neuron_cluster.plan.addon_plan import AddonPlan, ChartPlan
from neuron_cluster.plan.cluster_plan import NodeGroupPlan
from neuron_cluster.software.chart_set import charts_for
from neuron_cluster.software.managed_addons import addons_for


def build_addons(
    wish: Eks, node_groups: Sequence[NodeGroupPlan], catalog: Catalog, lock: Lock | None, *, has_lustre: bool
) -> tuple[AddonPlan, ...]:
    """The managed add-ons, each in the version of the lock; without one EKS takes its default of the day."""
    addons = addons_for(
        wish.addons, node_groups, catalog, has_lustre=has_lustre, prefix_delegation=wish.prefix_delegation
    )
    return addons if lock is None else tuple(replace(addon, version=lock.addons.get(addon.name)) for addon in addons)


def build_charts(
    wish: Eks, node_groups: Sequence[NodeGroupPlan], catalog: Catalog, lock: Lock | None
) -> tuple[ChartPlan, ...]:
    """The charts, each with the digest that the lock has for its version."""
    charts = charts_for(wish.addons, node_groups, catalog)
    return charts if lock is None else tuple(replace(chart, digest=_digest(chart, lock)) for chart in charts)


def _digest(chart: ChartPlan, lock: Lock) -> str | None:
    locked = lock.charts.get(chart.chart)
    return locked.digest if locked is not None and locked.version == chart.version else None
