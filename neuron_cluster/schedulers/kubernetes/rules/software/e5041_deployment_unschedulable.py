from __future__ import annotations

from local_kubernetes.model.scheduling.evaluation import evaluate_pods
from local_kubernetes.model.scheduling.free_allocatable import free_allocatable
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.software.components.registry import CHARTS
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods


class DeploymentUnschedulable(Rule):
    """A node group can run every Deployment of the cluster's software, with all replicas (`eks.node_groups`).

    Checked for each group: node selector, affinity, tolerations, and the resource requests beside the DaemonSets of
    the node. Where EKS Auto Mode is enabled, its nodes run the pods that no group can.

    Without this check the pods remain Pending ("Insufficient memory", "untolerated taint"). An add-on remains DEGRADED
    until CloudFormation times out after 20 minutes, a chart until helm does, and the software stack rolls back.
    """

    id = "E5041"
    needs = Needs.PLAN
    source = (
        "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/; "
        "of each node: neuron_cluster/catalog/data/node_allocatable.yaml; "
        "of each workload: its row in neuron_cluster/catalog/data/workload_shapes"
    )
    references = ("awslabs/cdk-eks-blueprints#508",)

    def check(self, context: RuleContext) -> Violations:
        cluster = context.plan.kubernetes
        if cluster is None:
            return
        pods = recorded_pods(context.plan, context.catalog)
        nodes = free_allocatable(kubernetes_nodes(context.plan, context.catalog), pods)
        others = [pod for pod in pods if pod.kind != "DaemonSet"]  # rule E5040 checks the DaemonSets
        for result in evaluate_pods(nodes, others, has_auto_mode=cluster.node_autoscaler is not None):
            for failure in result.failures:
                if failure.is_certain:
                    yield Violation(
                        (*cluster.path, "node_groups"),
                        failure.message,
                        "use a larger instance type or a higher max for the node group of system pods, or "
                        f"{_off(result.pod.software, cluster)}",
                    )


def _off(software: str, cluster: KubernetesPlan) -> str:
    """The edit that removes the software."""
    flags = [f"{cluster.key('addons')}.{flag}: false" for flag, chart in CHARTS.items() if chart == software]
    if not flags:
        return f"disable {software} in {cluster.key('addons')}"
    return f"set {listed(flags)} and remove {software} from {cluster.key('chart_values')}"
