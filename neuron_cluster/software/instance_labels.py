"""The instance types on which a chart's plugin runs: types that are newer than the chart are added to its list."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import NodeGroupPlan


def with_missing_types(chart: str, groups: Sequence[NodeGroupPlan], catalog: Catalog) -> tuple[str, ...]:
    """The chart's own list and behind it the types of these groups that it lacks; empty when it lacks none.

    Without them the DaemonSet wants 0 nodes, without any event. A list in values replaces the chart's.
    """
    row = catalog.chart(chart)
    known = row.instance_types if row is not None else ()
    missing = {group.machine.instance_type for group in groups} - set(known)
    return (*known, *sorted(missing)) if missing else ()
