"""A managed node group and its launch template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_eks_v2 as eks
from constructs import Construct

from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.team import team_tags
from neuron_cluster.providers.eks.plan.managed_node_group_plan import ManagedNodeGroupPlan
from stacks.constructs.neuron_launch_template import NeuronLaunchTemplate
from stacks.eks.node_repair import node_repair_config

NODE_GROUP_TAG = "neuron-cluster:node-group"


class NeuronNodeGroup(Construct):
    """Ids depend on the user's name of the group alone; the physical name changes with whatever replaces the group."""

    def __init__(
        self,
        scope: Construct,
        plan: ManagedNodeGroupPlan,
        *,
        environment: str,
        cluster_name: str,
        kubernetes_version: str,
        node_role_arn: str,
        subnet_ids: Sequence[str],
        security_group_ids: Mapping[SecurityGroupRole, str],
        launch_tags: Mapping[str, str],
    ) -> None:
        """``launch_tags``: the user's tags on instances, volumes and network interfaces."""
        super().__init__(scope, f"NodeGroup {plan.name}")
        tags = {**_identity(plan, environment), **launch_tags}
        template = NeuronLaunchTemplate(
            self, "LaunchTemplate", plan, security_group_ids=security_group_ids, launch_tags=tags
        ).resource
        managed_node_group(
            self,
            plan,
            template,
            name=plan.physical_name,
            cluster_name=cluster_name,
            kubernetes_version=kubernetes_version,
            node_role_arn=node_role_arn,
            subnet_ids=subnet_ids,
        )


def managed_node_group(
    scope: Construct,
    plan: ManagedNodeGroupPlan,
    template: ec2.CfnLaunchTemplate,
    *,
    name: str | None,
    cluster_name: str,
    kubernetes_version: str | None,
    node_role_arn: str,
    subnet_ids: Sequence[str],
) -> eks.CfnNodegroup:
    """The node group as ``Resource`` of the scope.

    Without ``name`` CloudFormation generates one, without ``kubernetes_version`` EKS takes that of the cluster.
    """
    return eks.CfnNodegroup(
        scope,
        "Resource",
        nodegroup_name=name,
        cluster_name=cluster_name,
        node_role=node_role_arn,
        subnets=list(subnet_ids),
        ami_type=plan.image.family,
        # A pinned release includes the version, and EKS accepts an update of only one of them.
        version=None if plan.image.release else kubernetes_version,
        release_version=plan.image.release,
        capacity_type=plan.capacity_type,
        launch_template=eks.CfnNodegroup.LaunchTemplateSpecificationProperty(
            id=template.ref, version=template.attr_latest_version_number
        ),
        scaling_config=eks.CfnNodegroup.ScalingConfigProperty(
            min_size=plan.min, desired_size=plan.desired, max_size=plan.max
        ),
        labels=dict(plan.labels),
        taints=[eks.CfnNodegroup.TaintProperty(key=t.key, value=t.value, effect=t.effect) for t in plan.taints] or None,
        node_repair_config=node_repair_config(plan.node_repair),
        update_config=eks.CfnNodegroup.UpdateConfigProperty(
            max_unavailable=1,
            update_strategy=plan.update_strategy,
        ),
    )


def _identity(plan: ManagedNodeGroupPlan, environment: str) -> dict[str, str]:
    """The toolkit's own tags on its instances, volumes and network interfaces."""
    return {
        "Name": f"{environment}/{plan.name}",
        ENVIRONMENT_TAG: environment,
        NODE_GROUP_TAG: plan.name,
        **team_tags(plan.team),
    }
