"""The software stack: add-ons that need nodes, and charts, in an order that works."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from constructs import Construct

from neuron_cluster.plan.addon_plan import ChartPlan, NamespacePlan
from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan
from stacks.cluster import ClusterStack
from stacks.constructs.managed_addon import ManagedAddon
from stacks.environment_stack import EnvironmentStack
from stacks.nodes import NodesStack


class SoftwareStack(EnvironmentStack):
    """Comes after the nodes: coredns without a node stays degraded until it times out."""

    def __init__(
        self, scope: Construct, plan: ClusterPlan, eks_plan: EksPlan, cluster: ClusterStack, nodes: Sequence[NodesStack]
    ) -> None:
        super().__init__(scope, "software", plan)
        self._cluster = cluster.icluster
        for addon in eks_plan.addons:
            if not addon.before_nodes:
                ManagedAddon(self, addon, cluster_name=self._cluster.cluster_name)
        releases: dict[str, eks.HelmChart] = {}
        for chart in eks_plan.charts:
            releases[chart.release] = self._chart(chart)
            for need in chart.needs:
                releases[chart.release].node.add_dependency(releases[need])
        for stack in nodes:
            self.add_stack_dependency(stack)

    def _chart(self, plan: ChartPlan) -> eks.HelmChart:
        """Never waits for pods: on a group that has scaled to zero they would not come."""
        chart = eks.HelmChart(
            self,
            f"Chart {plan.release}",
            cluster=self._cluster,
            chart=plan.chart,
            repository=plan.repository,
            version=plan.version,
            release=plan.release,
            namespace=plan.namespace,
            create_namespace=False,
            values=dict(plan.values),
            wait=False,
            timeout=cdk.Duration.minutes(plan.timeout_minutes),
        )
        for namespace in plan.namespaces:
            chart.node.add_dependency(self._namespace(namespace))
        return chart

    def _namespace(self, plan: NamespacePlan) -> eks.KubernetesManifest:
        """Before the chart: helm makes the namespace of a release, not those of its objects."""
        return eks.KubernetesManifest(
            self,
            f"Namespace {plan.name}",
            cluster=self._cluster,
            manifest=[
                {
                    "apiVersion": "v1",
                    "kind": "Namespace",
                    "metadata": {"name": plan.name, "labels": dict(plan.labels)},
                }
            ],
            overwrite=True,
        )
