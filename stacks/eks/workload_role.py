"""The IAM role of a service account of workloads."""

from __future__ import annotations

from aws_cdk import aws_eks_v2 as eks
from constructs import Construct

from neuron_cluster.plan.addon_plan import PodRolePlan
from stacks.eks.placeholders import Placeholders
from stacks.eks.pod_identity_role import PodIdentityRole


def workload_role(scope: Construct, plan: PodRolePlan, placeholders: Placeholders, *, cluster_name: str) -> None:
    """The role, and the association by which pods with the service account get it."""
    name = f"{plan.namespace} {plan.service_account}"
    eks.CfnPodIdentityAssociation(
        scope,
        f"Identity {name}",
        cluster_name=cluster_name,
        namespace=plan.namespace,
        service_account=plan.service_account,
        role_arn=PodIdentityRole(scope, f"Role {name}", plan, placeholders).role_arn,
    )
