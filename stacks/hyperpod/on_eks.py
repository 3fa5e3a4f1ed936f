"""Properties of a HyperPod cluster whose nodes join the EKS cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aws_cdk import aws_sagemaker as sagemaker

from neuron_cluster.providers.hyperpod.life_cycle_script import SCRIPT
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import (
    HyperPodGroupPlan,
    HyperPodOnEksPlan,
    SoftwareUpdatesPlan,
)
from stacks.hyperpod.script_bucket import ScriptBucket

Cluster = sagemaker.CfnCluster
UNKNOWN_PROPERTY = "CloudFormation-Validate::F3002"
NEWER_SCHEMA = (
    "The schema of AWS::SageMaker::Cluster in CDK's validation is older than ImageReleaseVersion, which the Registry "
    "schema of cfn-lint 1.58.0 has. A test holds that no other property is acknowledged with it."
)


class OnEks:
    """Every group has one script, which does nothing."""

    def __init__(self, hyperpod: HyperPodOnEksPlan, eks_cluster_arn: str, scripts: ScriptBucket) -> None:
        self.orchestrator = Cluster.OrchestratorProperty(
            eks=Cluster.ClusterOrchestratorEksConfigProperty(cluster_arn=eks_cluster_arn)
        )
        self._groups = {group.name: group for group in hyperpod.groups}
        uri = scripts.add("Script", SCRIPT, hyperpod.life_cycle_script)
        self._life_cycle = Cluster.ClusterLifeCycleConfigProperty(source_s3_uri=uri, on_create=SCRIPT)

    @property
    def acknowledged(self) -> dict[str, str]:
        """Findings of CDK's validation about the cluster, with the reasons why they do not count."""
        has_release = any(group.image.release for group in self._groups.values())
        return {UNKNOWN_PROPERTY: NEWER_SCHEMA} if has_release else {}

    def group_properties(self, name: str) -> dict[str, Any]:
        """Returns the properties of a group in addition to those of either orchestrator."""
        group = self._groups[name]
        updates = group.software_updates
        return {
            "life_cycle_config": self._life_cycle,
            "capacity_requirements": (Cluster.ClusterCapacityRequirementsProperty(spot={}) if group.is_spot else None),
            "on_start_deep_health_checks": list(group.deep_health_checks) or None,
            "image_release_version": group.image.release,
            "kubernetes_config": _kubernetes(group),
            "scheduled_update_config": _updates(updates) if updates is not None else None,
        }

    def volumes(self, name: str) -> Iterator[sagemaker.CfnCluster.ClusterInstanceStorageConfigProperty]:
        """None: pods mount file systems by their drivers."""
        del name
        yield from ()


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
