"""What EKS Auto Mode adds to a cluster: the role of the nodes that EKS starts."""

from __future__ import annotations

from typing import TypedDict

from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam
from constructs import Construct

from stacks.constructs.acknowledgement import acknowledge, managed_policy_finding

NODE_POOLS = ["general-purpose", "system"]
"""All that EKS has built in; the default node class, which pools of one's own can use, comes with either."""

NODE_ROLE = "AutoModeNodeRole"

NODE_POLICIES = {
    "AmazonEKSWorkerNodeMinimalPolicy": "All that a node of Auto Mode needs of EKS, kept in step with EKS by AWS.",
    "AmazonEC2ContainerRegistryPullOnly": "Nodes pull images, and nothing else, from any repository they are told of.",
}
"""Source: https://docs.aws.amazon.com/eks/latest/userguide/auto-create-node-role.html"""

CLUSTER_POLICIES = {
    "AmazonEKSComputePolicy": "Auto Mode starts and ends instances; CDK attaches the policy.",
    "AmazonEKSBlockStoragePolicy": "Auto Mode makes the volumes of pods; CDK attaches the policy.",
    "AmazonEKSLoadBalancingPolicy": "Auto Mode makes load balancers of services; CDK attaches the policy.",
    "AmazonEKSNetworkingPolicy": "Auto Mode makes the interfaces of its nodes; CDK attaches the policy.",
}


class Capacity(TypedDict, total=False):
    """Arguments of CDK's cluster, of which ``default_capacity`` and ``compute`` exclude each other."""

    default_capacity_type: eks.DefaultCapacityType
    default_capacity: int
    compute: eks.ComputeConfig


def own_capacity(scope: Construct, *, auto_mode: bool) -> Capacity:
    """The nodes that come with the cluster: none, or those of Auto Mode, whose three switches CDK then sets.

    The logical ids of the cluster are the same either way, and EKS takes the change in place.
    """
    if not auto_mode:
        return {"default_capacity_type": eks.DefaultCapacityType.NODEGROUP, "default_capacity": 0}
    compute = eks.ComputeConfig(node_pools=NODE_POOLS, node_role=_node_role(scope))
    return {"default_capacity_type": eks.DefaultCapacityType.AUTOMODE, "compute": compute}


def _node_role(scope: Construct) -> iam.Role:
    """EKS makes its access entry by itself."""
    role = iam.Role(
        scope,
        NODE_ROLE,
        description="Nodes that EKS Auto Mode starts: node agent and image pulls; pods get their own roles",
        assumed_by=iam.ServicePrincipal("ec2.amazonaws.com"),
        managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in NODE_POLICIES],
    )
    acknowledge(role, {managed_policy_finding(name): reason for name, reason in NODE_POLICIES.items()})
    return role


def acknowledge_auto_mode(cluster: eks.Cluster) -> None:
    """Says beside the control plane's role why Auto Mode's rights are accepted."""
    acknowledge(cluster.role, {managed_policy_finding(name): reason for name, reason in CLUSTER_POLICIES.items()})
