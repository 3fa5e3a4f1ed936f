from __future__ import annotations

from local_kubernetes.model.scheduling.evaluation import missing_daemon_sets
from local_kubernetes.model.scheduling.free_allocatable import free_allocatable
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods, recorded_pods_of_bundled_charts


class DaemonSetNotScheduledOnGroup(Rule):
    """Every DaemonSet of the cluster's software runs on the node groups that require it (`eks.node_groups`).

    A device plugin runs on nodes with its devices; network, identity, storage drivers and monitors on all nodes. The
    node selector, affinity and tolerations of each chart and add-on, with its values, are compared with the labels,
    taints and instance type of each group. `neuron-cluster schedule NAME` shows the result. A list of instance types
    in chart_values that excludes a type is reported by E5006.

    Without this check AWS reports no error. The DaemonSet has 0 desired pods, without any event; pods that request the
    device remain Pending, and collectives that do not request it run over TCP.
    """

    id = "E5040"
    needs = Needs.PLAN
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

    def check(self, context: RuleContext) -> Violations:
        plan, cluster = context.plan, context.plan.kubernetes
        if cluster is None:
            return
        groups = {group.name: group for group in plan.node_groups}
        charts = {chart.chart for chart in plan.charts}
        pods = (*recorded_pods(plan, context.catalog), *recorded_pods_of_bundled_charts(plan, context.catalog))
        nodes = free_allocatable(kubernetes_nodes(plan, context.catalog), pods)
        for pod, result in missing_daemon_sets(nodes, pods):
            if pod.required_on is None or not result.is_certain:
                continue
            reasons = [each for each in result.reasons if each.doubt is None]
            key = reasons[0].group_key
            hints = OF_CHARTS if pod.software in charts else OF_ADDONS | OF_ADDON.get(pod.software, {})
            if pod.device_class is not None:
                hints = hints | OF_DRA_DRIVER
            yield Violation(
                (*groups[result.group].path, key),
                f"{pod.workload} of {pod.software} is not scheduled on {result.group}: "
                f"{', and '.join(each.message for each in reasons)}; so {pod.required_on.without}",
                hints[key].format(
                    software=pod.software, addons=cluster.key("addons"), chart_values=cluster.key("chart_values")
                ),
            )


OF_CHARTS = {
    "instance_type": "use another instance type, or add this one to the affinity of {software} in {chart_values}",
    "labels": "add the label to the group, or change the selector of {software} in {chart_values}",
    "taints": (
        "add a toleration for the taint to the tolerations of {software} in {chart_values}, or remove tolerations "
        "there to use the toolkit's; or remove the taint if it is one of yours"
    ),
}
"""Hints by the property of the group that the chart does not match."""

OF_DRA_DRIVER = {
    "instance_type": (
        "remove neuron_dra_driver from {addons}: the device plugin supports this type; or use another instance type"
    ),
}
"""The chart has a fixed list of instance types."""

OF_ADDONS = {
    "instance_type": "use another instance type, or disable {software} in {addons}: AWS sets its list of types",
    "labels": "add the label to the group, or disable {software} in {addons}",
    "taints": "remove the taint, or disable {software} in {addons}: AWS sets its tolerations",
}

OF_ADDON = {
    "amazon-cloudwatch-observability": {
        "instance_type": (
            "write observability.metrics: prometheus, whose neuron-monitor supports this type, and leave "
            "cloudwatch_observability out of {addons}; or use another instance type: AWS sets the list of types of "
            "{software}"
        ),
    },
}
"""Hints of add-ons with a replacement; if this one is only disabled, the metrics have no publisher."""
