"""Access entries: which IAM principals may use the Kubernetes API, and with which access policy of EKS."""

from __future__ import annotations

import hashlib

from aws_cdk import aws_eks_v2 as eks

from neuron_cluster.providers.eks.plan.eks_plan import ADMIN_POLICY, VIEW_POLICY, EksPlan
from stacks.environment_stack import EnvironmentStack


def add_access_entries(stack: EnvironmentStack, plan: EksPlan, cluster_name: str, partition: str) -> None:
    """One for each principal of the file.

    Members and operators of a team get no access policy: their Kubernetes group has Roles in each of its namespaces.
    """
    for principals, policy in (
        (plan.admins, ADMIN_POLICY),
        (plan.viewers, VIEW_POLICY),
    ):
        for principal in principals:
            eks.CfnAccessEntry(
                stack,
                _entry_id(principal),
                cluster_name=cluster_name,
                principal_arn=principal,
                access_policies=[
                    eks.CfnAccessEntry.AccessPolicyProperty(
                        policy_arn=f"arn:{partition}:eks::aws:cluster-access-policy/{policy}",
                        access_scope=eks.CfnAccessEntry.AccessScopeProperty(type="cluster"),
                    )
                ],
            )
    for team in plan.teams:
        for principals_of_team, group in ((team.members, team.group), (team.operators, team.operator_group)):
            for each in principals_of_team:
                eks.CfnAccessEntry(
                    stack,
                    _entry_id(each.arn),
                    cluster_name=cluster_name,
                    principal_arn=each.arn,
                    kubernetes_groups=[group],
                )


def _entry_id(principal: str) -> str:
    """The same in every list of the file: a principal that moves keeps its access entry."""
    return f"Access{hashlib.sha256(principal.encode()).hexdigest()[:8]}"
