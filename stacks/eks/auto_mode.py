"""Resources of EKS Auto Mode: the role of the nodes that EKS starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.providers.eks.plan.eks_plan import EksPlan
from stacks.constructs.acknowledgement import acknowledge_policies

NODE_ROLE = "AutoModeNodeRole"


class Capacity(TypedDict, total=False):
    """Arguments of CDK's cluster, of which ``default_capacity`` and ``compute`` exclude each other."""

    default_capacity_type: eks.DefaultCapacityType
    default_capacity: int
    compute: eks.ComputeConfig


def own_capacity(scope: Construct, plan: EksPlan) -> Capacity:
    """The nodes that come with the cluster: none, or those of Auto Mode, whose three switches CDK then sets.

    The logical ids of the cluster are the same either way, and EKS updates in place.
    """
    if not plan.auto_mode:
        return {"default_capacity_type": eks.DefaultCapacityType.NODEGROUP, "default_capacity": 0}
    roles = plan.auto_mode_roles
    compute = eks.ComputeConfig(node_pools=list(roles.node_pools), node_role=_node_role(scope, roles.node_policies))
    return {"default_capacity_type": eks.DefaultCapacityType.AUTOMODE, "compute": compute}


def _node_role(scope: Construct, policies: Mapping[str, str]) -> iam.Role:
    """EKS makes its access entry by itself."""
    role = iam.Role(
        scope,
        NODE_ROLE,
        description="Nodes that EKS Auto Mode starts: node agent and image pulls; pods get their own roles",
        assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in policies],
    )
    acknowledge_policies(role, policies)
    return role
