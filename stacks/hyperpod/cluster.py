"""The HyperPod cluster, whose nodes join the EKS cluster of the environment."""

from __future__ import annotations

from collections.abc import Iterator

from aws_cdk import aws_sagemaker as sagemaker
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.providers.hyperpod.life_cycle_script import SCRIPT
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodGroupPlan, HyperPodPlan, SoftwareUpdatesPlan
from neuron_cluster.providers.hyperpod.stacks import HYPERPOD
from stacks.constructs.acknowledgement import acknowledge
from stacks.environment_stack import EnvironmentStack
from stacks.hyperpod.node_role import node_role
from stacks.hyperpod.script_bucket import ScriptBucket
from stacks.network import NetworkStack
from stacks.stack_context import StackContext, planned

Cluster = sagemaker.CfnCluster

UNKNOWN_PROPERTY = "CloudFormation-Validate::F3002"
NEWER_SCHEMA = (
    "The schema of AWS::SageMaker::Cluster in CDK's validation is older than ImageReleaseVersion, which the Registry "
    "schema of cfn-lint 1.58.0 has. A test holds that no other property is acknowledged with it."
)


def build(context: StackContext) -> HyperPodStack:
    return HyperPodStack(
        context.scope,
        context.plan,
        planned(context.plan.provider(HyperPodPlan)),
        context.stack(NETWORK, NetworkStack),
    )


class HyperPodStack(EnvironmentStack):
    """Everything here is disposable. HyperPod fixes name, VPC and EKS cluster: other groups change none of them."""

    def __init__(self, scope: Construct, plan: ClusterPlan, hyperpod: HyperPodPlan, network: NetworkStack) -> None:
        super().__init__(scope, HYPERPOD.stack_key, plan)
        self._network = network
        self._security_group_id = network.group_id(SecurityGroupRole.HYPERPOD)
        self._scripts = ScriptBucket(self, "LifeCycle", plan, hyperpod)
        role = node_role(self, plan, hyperpod, self._scripts.bucket.bucket_arn, planned(plan.kubernetes).name)
        self._role_arn = role.role_arn
        cluster = self._cluster(hyperpod, planned(plan.kubernetes).arn(plan.partition, plan.region, plan.account))
        # SageMaker runs the script when it creates nodes, and no property refers to it.
        cluster.node.add_dependency(self._scripts.script)
        if any(group.image.release for group in hyperpod.groups):
            acknowledge(cluster, {UNKNOWN_PROPERTY: NEWER_SCHEMA})

    def _cluster(self, hyperpod: HyperPodPlan, eks_cluster_arn: str) -> Cluster:
        return Cluster(
            self,
            "Cluster",
            cluster_name=hyperpod.name,
            orchestrator=Cluster.OrchestratorProperty(
                eks=Cluster.ClusterOrchestratorEksConfigProperty(cluster_arn=eks_cluster_arn)
            ),
            vpc_config=self._vpc_config(hyperpod.zone_id),
            node_recovery="Automatic" if hyperpod.has_recovery else "None",
            node_provisioning_mode="Continuous" if hyperpod.is_continuous else None,
            instance_groups=[self._group(group) for group in hyperpod.groups],
        )

    def _vpc_config(self, zone_id: str) -> sagemaker.CfnCluster.VpcConfigProperty:
        return Cluster.VpcConfigProperty(
            security_group_ids=[self._security_group_id], subnets=[self._network.private_subnet_id(zone_id)]
        )

    def _group(self, group: HyperPodGroupPlan) -> sagemaker.CfnCluster.ClusterInstanceGroupProperty:
        return Cluster.ClusterInstanceGroupProperty(
            instance_group_name=group.physical_name,
            instance_type=group.machine.instance_type,
            instance_count=group.desired,
            min_instance_count=group.min_instances or None,
            execution_role=self._role_arn,
            life_cycle_config=Cluster.ClusterLifeCycleConfigProperty(source_s3_uri=self._scripts.uri, on_create=SCRIPT),
            override_vpc_config=self._vpc_config(group.zone_ids[0]),
            capacity_requirements=Cluster.ClusterCapacityRequirementsProperty(spot={}) if group.is_spot else None,
            training_plan_arn=group.training_plan_arn,
            on_start_deep_health_checks=list(group.deep_health_checks) or None,
            instance_storage_configs=list(_volumes(group)) or None,
            image_release_version=group.image.release,
            kubernetes_config=_kubernetes(group),
            scheduled_update_config=_updates(group.software_updates) if group.software_updates is not None else None,
        )


def _volumes(group: HyperPodGroupPlan) -> Iterator[sagemaker.CfnCluster.ClusterInstanceStorageConfigProperty]:
    if group.extra_volume_gib is not None:
        yield Cluster.ClusterInstanceStorageConfigProperty(
            ebs_volume_config=Cluster.ClusterEbsVolumeConfigProperty(volume_size_in_gb=group.extra_volume_gib)
        )


def _kubernetes(group: HyperPodGroupPlan) -> sagemaker.CfnCluster.ClusterKubernetesConfigProperty:
    taints = [
        Cluster.ClusterKubernetesTaintProperty(key=taint.key, value=taint.value or None, effect=taint.kubernetes_effect)
        for taint in group.taints
    ]
    return Cluster.ClusterKubernetesConfigProperty(labels=dict(group.labels), taints=taints or None)


def _updates(plan: SoftwareUpdatesPlan) -> sagemaker.CfnCluster.ScheduledUpdateConfigProperty:
    batch = Cluster.CapacitySizeConfigProperty(type="CAPACITY_PERCENTAGE", value=plan.batch_percent)
    return Cluster.ScheduledUpdateConfigProperty(
        schedule_expression=plan.schedule,
        deployment_config=Cluster.DeploymentConfigProperty(
            rolling_update_policy=Cluster.RollingUpdatePolicyProperty(maximum_batch_size=batch),
            wait_interval_in_seconds=plan.wait_seconds,
            auto_rollback_configuration=[Cluster.AlarmDetailsProperty(alarm_name=name) for name in plan.rollback_alarms]
            or None,
        ),
    )
