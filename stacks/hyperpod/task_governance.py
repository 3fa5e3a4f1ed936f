"""Task governance of HyperPod: the add-on, the cluster policy, a compute quota for each team, and their namespaces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct, IDependable

from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.providers.eks.stacks import CLUSTER
from neuron_cluster.providers.hyperpod.plan.task_governance_plan import (
    ComputeQuotaPlan,
    QuotaAmount,
    TaskGovernancePlan,
)
from neuron_cluster.providers.hyperpod.stacks import GOVERNANCE, HYPERPOD, governance_of
from stacks.constructs.acknowledgement import acknowledge
from stacks.eks.cluster import ClusterStack
from stacks.eks.managed_addon import ManagedAddon
from stacks.eks.placeholders import Placeholders
from stacks.eks.service_timeout import bound_service_timeout
from stacks.eks.software import placeholders_of
from stacks.eks.workload_namespace import workload_namespace
from stacks.environment_stack import EnvironmentStack
from stacks.hyperpod.cluster import HyperPodStack
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned
from stacks.storage import StorageStack

QUOTA_TYPE = "AWS::SageMaker::ComputeQuota"
"""aws-cdk-lib 2.275 has no construct of it."""
NO_SCHEMA = "The schemas of CDK's validation lack the type; cfn-lint has it, and checks its properties."
SWITCH = {True: "Enabled", False: "Disabled"}


def build(context: StackContext) -> TaskGovernanceStack:
    plan = context.plan
    kubernetes = planned(plan.kubernetes)
    placeholders = placeholders_of(
        plan.partition,
        kubernetes.arn(plan.partition, plan.region, plan.account),
        context.stack(NETWORK, NetworkStack),
        context.stack_if_planned(STORAGE, StorageStack),
    )
    return TaskGovernanceStack(
        context.scope,
        plan,
        planned(governance_of(plan)),
        context.stack(HYPERPOD, HyperPodStack).cluster_arn,
        context.stack(CLUSTER, ClusterStack),
        placeholders,
    )


class TaskGovernanceStack(EnvironmentStack):
    """Policies come after the add-on and go before it; a namespace comes after the compute quota that makes it, and
    before what is in it."""

    def __init__(
        self,
        scope: Construct,
        plan: ClusterPlan,
        governance: TaskGovernancePlan,
        hyperpod_arn: str,
        cluster: ClusterStack,
        placeholders: Placeholders,
    ) -> None:
        super().__init__(scope, GOVERNANCE.stack_key, plan)
        self._hyperpod_arn, self._cluster, self._placeholders = hyperpod_arn, cluster.icluster, placeholders
        self._tags = {ENVIRONMENT_TAG: plan.name, **plan.tags}
        """CDK tags no resource that it has no construct of."""
        addon = ManagedAddon(self, governance.addon, placeholders, cluster_name=cluster.name)
        policy = self._policy(governance)
        quotas = {quota.team: self._quota(quota) for quota in governance.quotas}
        for each in (policy, *quotas.values()):
            each.node.add_dependency(addon)
        self._objects(planned(plan.kubernetes), quotas)

    def _policy(self, plan: TaskGovernancePlan) -> sagemaker.CfnClusterSchedulerConfig:
        policy = sagemaker.CfnClusterSchedulerConfig
        return policy(
            self,
            "Policy",
            name=plan.policy_name,
            cluster_arn=self._hyperpod_arn,
            scheduler_config=policy.SchedulerConfigProperty(
                fair_share=SWITCH[plan.has_fair_share],
                idle_resource_sharing=SWITCH[plan.shares_idle_resources],
                priority_classes=[
                    policy.PriorityClassProperty(name=each.name, weight=each.weight) for each in plan.priority_classes
                ],
            ),
        )

    def _quota(self, plan: ComputeQuotaPlan) -> cdk.CfnResource:
        borrows = {"AbsoluteBorrowLimits": _amounts(plan.borrows)} if plan.borrows else {}
        quota = cdk.CfnResource(
            self,
            f"Quota {plan.team}",
            type=QUOTA_TYPE,
            properties={
                "Name": plan.name,
                "ClusterArn": self._hyperpod_arn,
                "ActivationState": "Enabled",
                "ComputeQuotaTarget": {"TeamName": plan.team, "FairShareWeight": plan.weight},
                "ComputeQuotaConfig": {
                    "ComputeQuotaResources": _amounts(plan.resources),
                    "PreemptTeamTasks": "LowerPriority",
                    "ResourceSharingConfig": {"Strategy": plan.strategy, **borrows},
                },
                "Tags": [{"Key": key, "Value": value} for key, value in sorted(self._tags.items())],
            },
        )
        acknowledge(quota, {"CloudFormation-Validate::F3006": NO_SCHEMA})
        return quota

    def _objects(self, kubernetes: KubernetesPlan, quotas: dict[str, cdk.CfnResource]) -> None:
        """Labels of each namespace, what the software stack has in other namespaces, and the access of teams."""
        namespaces: dict[str, IDependable] = {}
        for namespace in kubernetes.namespaces:
            if namespace.is_governed and namespace.team is not None:
                made = workload_namespace(self, namespace, cluster=self._cluster)
                namespaces[namespace.name] = made
                _after(made, [quotas[namespace.team]])
        for manifest in kubernetes.manifests:
            if kubernetes.is_in_governed_namespace(manifest):
                named = {each["metadata"].get("namespace") for each in manifest.objects}
                _after(self._manifest(manifest), [made for name, made in namespaces.items() if name in named])
        for manifest in kubernetes.team_manifests:
            own = [each.name for each in kubernetes.namespaces if each.path[:2] == manifest.path]
            _after(self._manifest(manifest), [namespaces[name] for name in own])

    def _manifest(self, plan: ManifestPlan) -> eks.KubernetesManifest:
        made = eks.KubernetesManifest(
            self,
            plan.name,
            cluster=self._cluster,
            manifest=[self._placeholders.in_values(each) for each in plan.objects],
            overwrite=True,
            prune=False if plan.is_kept else None,
            removal_policy=cdk.RemovalPolicy.RETAIN if plan.is_kept else None,
        )
        bound_service_timeout(made)
        return made


def _amounts(amounts: Iterable[QuotaAmount]) -> list[dict[str, Any]]:
    """Whole instances, and accelerators of a part of one: HyperPod fills in the processors and memory that go with
    either."""
    return [
        {
            "InstanceType": amount.instance_type,
            **({"Accelerators": amount.devices} if amount.instances is None else {"Count": amount.instances}),
        }
        for amount in amounts
    ]


def _after(construct: Construct, needs: Iterable[IDependable]) -> None:
    for need in needs:
        construct.node.add_dependency(need)
