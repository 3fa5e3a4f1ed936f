"""The HyperPod cluster, whose nodes join the EKS cluster of the environment or run Slurm."""

from __future__ import annotations

from collections.abc import Iterator

from aws_cdk import aws_iam as iam
from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodOnEksPlan, HyperPodPlan, InstanceGroupPlan
from neuron_cluster.providers.hyperpod.plan.slurm_plan import HyperPodSlurmPlan
from neuron_cluster.providers.hyperpod.stacks import HYPERPOD
from stacks.constructs.acknowledgement import acknowledge
from stacks.constructs.slurm_node_rights import (
    acknowledge_bucket,
    acknowledge_scripts,
    bucket_policies,
    script_policies,
)
from stacks.environment_stack import EnvironmentStack
from stacks.hyperpod.node_role import node_role
from stacks.hyperpod.on_eks import OnEks
from stacks.hyperpod.on_slurm import OnSlurm
from stacks.hyperpod.script_bucket import ScriptBucket
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned
from stacks.storage import StorageStack

Cluster = sagemaker.CfnCluster


def build(context: StackContext) -> HyperPodStack:
    return HyperPodStack(
        context.scope,
        context.plan,
        planned(context.plan.provider(HyperPodPlan)),
        context.stack(NETWORK, NetworkStack),
        context.stack_if_planned(STORAGE, StorageStack),
    )


class HyperPodStack(EnvironmentStack):
    """Everything here is disposable. HyperPod fixes name, VPC and EKS cluster: other groups change none of them."""

    def __init__(
        self,
        scope: Construct,
        plan: ClusterPlan,
        hyperpod: HyperPodPlan,
        network: NetworkStack,
        storage: StorageStack | None,
    ) -> None:
        super().__init__(scope, HYPERPOD.stack_key, plan)
        self._plan, self._network, self._storage = plan, network, storage
        self._security_group_id = network.group_id(SecurityGroupRole.HYPERPOD)
        self._scripts = ScriptBucket(self, "LifeCycle", plan, hyperpod)
        self._on = self._orchestrator(hyperpod)
        self._role_arn = self._role(hyperpod).role_arn
        cluster = self._cluster(hyperpod)
        for script in self._scripts.scripts:
            # SageMaker runs the script when it creates nodes, and no property refers to it.
            cluster.node.add_dependency(script)
        acknowledge(cluster, self._on.acknowledged)
        self.cluster_arn = cluster.attr_cluster_arn
        if isinstance(self._on, OnEks):
            self.publish(self.cluster_arn)  # so that adding task governance changes nothing here

    def _orchestrator(self, hyperpod: HyperPodPlan) -> OnEks | OnSlurm:
        if isinstance(hyperpod, HyperPodSlurmPlan):
            return OnSlurm(self, hyperpod, self._scripts, self._storage)
        if not isinstance(hyperpod, HyperPodOnEksPlan):
            raise TypeError(f"{type(hyperpod).__name__} has no properties of a cluster")
        plan = self._plan
        return OnEks(hyperpod, planned(plan.kubernetes).arn(plan.partition, plan.region, plan.account), self._scripts)

    def _role(self, hyperpod: HyperPodPlan) -> iam.Role:
        bucket_arn = self._scripts.bucket.bucket_arn
        if not isinstance(self._on, OnSlurm):
            return node_role(self, self._plan, hyperpod, bucket_arn)
        policies = {
            **script_policies(self._on.assets.values(), self._plan),
            **bucket_policies(self._storage, self._plan),
        }
        role = node_role(self, self._plan, hyperpod, bucket_arn, policies)
        acknowledge_bucket(role, self._storage)
        acknowledge_scripts(role, self._plan)
        return role

    def _cluster(self, hyperpod: HyperPodPlan) -> Cluster:
        return Cluster(
            self,
            "Cluster",
            cluster_name=hyperpod.name,
            orchestrator=self._on.orchestrator,
            vpc_config=self._vpc_config(hyperpod.zone_id),
            node_recovery="Automatic" if hyperpod.has_recovery else "None",
            node_provisioning_mode="Continuous" if hyperpod.is_continuous else None,
            instance_groups=[self._group(group) for group in hyperpod.instance_groups],
        )

    def _vpc_config(self, zone_id: str) -> sagemaker.CfnCluster.VpcConfigProperty:
        return Cluster.VpcConfigProperty(
            security_group_ids=[self._security_group_id], subnets=[self._network.private_subnet_id(zone_id)]
        )

    def _group(self, group: InstanceGroupPlan) -> sagemaker.CfnCluster.ClusterInstanceGroupProperty:
        return Cluster.ClusterInstanceGroupProperty(
            instance_group_name=group.physical_name,
            instance_type=group.machine.instance_type,
            instance_count=group.desired,
            min_instance_count=group.min_instances or None,
            execution_role=self._role_arn,
            override_vpc_config=self._vpc_config(group.zone_ids[0]),
            training_plan_arn=group.training_plan_arn,
            instance_storage_configs=[*_volumes(group), *self._on.volumes(group.name)] or None,
            **self._on.group_properties(group.name),
        )


def _volumes(group: InstanceGroupPlan) -> Iterator[sagemaker.CfnCluster.ClusterInstanceStorageConfigProperty]:
    if group.extra_volume_gib is not None:
        yield Cluster.ClusterInstanceStorageConfigProperty(
            ebs_volume_config=Cluster.ClusterEbsVolumeConfigProperty(volume_size_in_gb=group.extra_volume_gib)
        )
