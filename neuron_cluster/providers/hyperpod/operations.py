"""The part of SageMaker HyperPod that deploy, destroy and status call."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.aws import hyperpod
from neuron_cluster.aws.session import Target
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.existing import DeployedResources
from neuron_cluster.protocol.operations import Operations
from neuron_cluster.protocol.preflight import Part, ProviderCheck
from neuron_cluster.protocol.status import StatusQuery, StatusSection
from neuron_cluster.providers.hyperpod import quotas, training_plans
from neuron_cluster.providers.hyperpod.existing import ExistingHyperPod, read_existing
from neuron_cluster.providers.hyperpod.node_service import HyperPodNodes
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.providers.hyperpod.status import hyperpod_status


class HyperPodOperations(Operations):
    preflight_checks = tuple(
        ProviderCheck(part, module.WHAT, module.PERMISSIONS, module.subjects, module.check)
        for part, module in ((Part.QUOTAS, quotas), (Part.CAPACITY, training_plans))
    )
    group_permissions = ("sagemaker:DescribeCluster",)
    node_service = HyperPodNodes()

    def existing(self, target: Target, resources: DeployedResources) -> ExistingHyperPod:
        return read_existing(target, resources)

    def status(self, query: StatusQuery) -> Sequence[StatusSection]:
        return hyperpod_status(query)

    def deployed_groups(self, target: Target, plan: ClusterPlan) -> frozenset[str]:
        planned = plan.provider(HyperPodPlan)
        cluster = hyperpod.cluster(target, planned.name) if planned is not None else None
        if planned is None or cluster is None:
            return frozenset()
        there = {group.name for group in cluster.groups}
        return frozenset(group.name for group in planned.instance_groups if group.physical_name in there)

    def log_groups(self, environment: str) -> tuple[str, ...]:
        """HyperPod makes one, with the id of the cluster at the end, and does not delete it."""
        return (f"/aws/sagemaker/Clusters/{environment}/",)
