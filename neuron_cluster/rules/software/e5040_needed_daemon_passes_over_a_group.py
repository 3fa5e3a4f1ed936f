"""Nodes without the plugin, driver or agent that they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import PlanRule, Violation
from neuron_cluster.schedule.pod_shape import pod_shapes_of_own_charts, pod_shapes_of_software
from neuron_cluster.schedule.verdict import judge_daemons

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class NeededDaemonPassesOverAGroup(PlanRule):
    """Every DaemonSet of the cluster's software runs on the groups that need it.

    A device plugin on nodes with its devices; network, identity, storage drivers and monitors on all nodes. The node
    selector, affinity and tolerations of each chart and add-on, with the values that it gets here, are held against
    the labels, taints and instance type of each group. `neuron-cluster schedule NAME` shows all of it. A list of types
    in chart_values that leaves one out is found before, at its own line (E5006).

    Without it: AWS answers nothing. The DaemonSet wants 0 nodes, without any event; pods that ask for the device stay
    Pending on nodes that have it, and collectives that do not ask run over TCP.
    """

    id = "E5040"
    source = (
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/; "
        "of each workload: its row in neuron_cluster/catalog/data/workload_shapes"
    )
    references = (
        "aws-observability/helm-charts#129",
        "aws-samples/aws-do-eks#56",
        "aws/eks-charts#1348",
        "eksctl-io/eksctl#6063",
    )

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        groups = {group.name: group for group in plan.eks.node_groups} if plan.eks is not None else {}
        charts = {chart.chart for chart in plan.eks.charts} if plan.eks is not None else set()
        pods = (*pod_shapes_of_software(plan, catalog), *pod_shapes_of_own_charts(plan, catalog))
        for pod, group, verdict in judge_daemons(plan, pods, catalog):
            if pod.needed_on is None or not verdict.surely_not:
                continue
            why = [each for each in verdict.misfits if each.doubt is None]
            part = why[0].part
            hints = OF_CHARTS if pod.software in charts else OF_ADDONS | OF_ADDON.get(pod.software, {})
            if pod.device_class is not None:
                hints = hints | OF_DRA_DRIVER
            yield Violation(
                (*groups[group].path, part),
                f"{pod.workload} of {pod.software} passes over {group}: "
                f"{', and '.join(each.reason for each in why)}; so {pod.needed_on.without}",
                hints[part].format(software=pod.software),
            )


OF_CHARTS = {
    "instance_type": "take another type, or add this one to the affinity of {software} in eks.chart_values",
    "labels": "give the group the label, or change the selector of {software} in eks.chart_values",
    "taints": (
        "add a toleration for the taint to the tolerations of {software} in eks.chart_values, or remove tolerations "
        "there to get the toolkit's; or remove the taint if it is one of yours"
    ),
}
"""By what the chart passes over."""

OF_DRA_DRIVER = {
    "instance_type": (
        "remove neuron_dra_driver from eks.addons: the device plugin runs on this type; or take another type"
    ),
}
"""Its list of types is fixed in the chart."""

OF_ADDONS = {
    "instance_type": "take another type, or turn {software} off in eks.addons: its list of types is that of AWS",
    "labels": "give the group the label, or turn {software} off in eks.addons",
    "taints": "remove the taint, or turn {software} off in eks.addons: its tolerations are those of AWS",
}

OF_ADDON = {
    "amazon-cloudwatch-observability": {
        "instance_type": (
            "write observability.metrics: prometheus, whose neuron-monitor runs on this type, and leave "
            "cloudwatch_observability out of eks.addons; or take another type: the list of types of {software} is that "
            "of AWS"
        ),
    },
}
"""Of add-ons that something else can stand in for; off alone, this one would leave the metrics without a publisher."""
