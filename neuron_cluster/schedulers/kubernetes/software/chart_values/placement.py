"""Where a chart's plugins run: instance types and tolerations that the chart's own lists lack."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.values.pod_settings import TolerationValues


def with_missing_types(chart: str, groups: Sequence[NodeGroupPlan], catalog: Catalog) -> tuple[str, ...]:
    """The chart's own list and behind it the types of these groups that it lacks; empty when it lacks none.

    Without them the DaemonSet wants 0 nodes, without any event. A list in values replaces the chart's.
    """
    row = catalog.charts.get(chart)
    known = row.instance_types if row is not None else ()
    missing = {group.machine.instance_type for group in groups} - set(known)
    return (*known, *sorted(missing)) if missing else ()


def missing_tolerations(
    chart: str, key: str, wanted: Sequence[TolerationValues], catalog: Catalog
) -> tuple[TolerationValues, ...] | None:
    """The tolerations for a key, when the chart's own do not cover these: a list in values replaces the chart's."""
    row = catalog.charts.get(chart)
    defaults = row.default_tolerations.get(key, ()) if row is not None else ()
    own = tuple(
        TolerationValues.read(
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
