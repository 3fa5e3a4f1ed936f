"""An IAM role for a service account, through EKS Pod Identity."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.addon_plan import PodRolePlan
from stacks.environment_stack import acknowledge


class PodIdentityRole(Construct):
    """Only pods of this account's clusters get it; the association names the service account."""

    def __init__(self, scope: Construct, construct_id: str, plan: PodRolePlan) -> None:
        super().__init__(scope, construct_id)
        role = iam.Role(
            self,
            "Role",
            description=f"{plan.namespace}/{plan.service_account}",
            assumed_by=iam.SessionTagsPrincipal(iam.ServicePrincipal("pods.eks.amazonaws.com")),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in plan.managed_policies],
        )
        for name in plan.managed_policies:
            acknowledge(
                role,
                f"AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/{name}]",
                "AWS keeps this policy in step with the add-on's releases; a copy of ours would fall behind them.",
            )
        self.role_arn = role.role_arn
