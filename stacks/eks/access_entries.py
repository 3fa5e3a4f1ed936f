"""Access entries: which IAM principals may use the Kubernetes API, and with which access policy of EKS."""

from __future__ import annotations

import hashlib

from aws_cdk import aws_eks_v2 as eks

from neuron_cluster.orchestrators.eks.plan.eks_plan import EksPlan
from stacks.environment_stack import EnvironmentStack


def add_access_entries(stack: EnvironmentStack, plan: EksPlan, cluster_name: str, partition: str) -> None:
    """One for each principal of the file."""
    for principals, policy in (
        (plan.admins, "AmazonEKSClusterAdminPolicy"),
        (plan.viewers, "AmazonEKSViewPolicy"),
    ):
        for principal in principals:
            eks.CfnAccessEntry(
                stack,
                f"Access{hashlib.sha256(principal.encode()).hexdigest()[:8]}",
                cluster_name=cluster_name,
                principal_arn=principal,
                access_policies=[
                    eks.CfnAccessEntry.AccessPolicyProperty(
                        policy_arn=f"arn:{partition}:eks::aws:cluster-access-policy/{policy}",
                        access_scope=eks.CfnAccessEntry.AccessScopeProperty(type="cluster"),
                    )
                ],
            )
