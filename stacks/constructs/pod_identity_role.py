"""An IAM role for a service account, through EKS Pod Identity."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.addon_plan import PodRolePlan
from stacks.constructs.stand_ins import StandIns
from stacks.environment_stack import acknowledge


class PodIdentityRole(Construct):
    """Only pods of this account's clusters get it; the association names the service account."""

    def __init__(self, scope: Construct, construct_id: str, plan: PodRolePlan, stand_ins: StandIns) -> None:
        super().__init__(scope, construct_id)
        statements = [
            iam.PolicyStatement(
                actions=list(statement.actions),
                resources=[stand_ins.in_text(resource) for resource in statement.resources],
                conditions={
                    operator: {key: list(values) for key, values in keys.items()}
                    for operator, keys in statement.conditions.items()
                },
            )
            for statement in plan.statements
        ]
        role = iam.Role(
            self,
            "Role",
            description=f"{plan.namespace}/{plan.service_account}",
            assumed_by=iam.SessionTagsPrincipal(iam.ServicePrincipal("pods.eks.amazonaws.com")),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in plan.managed_policies],
            inline_policies={"Pods": iam.PolicyDocument(statements=statements)} if statements else None,
        )
        for name in plan.managed_policies:
            acknowledge(
                role,
                f"AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/{name}]",
                "AWS keeps this policy in step with the add-on's releases; a copy of ours would fall behind them.",
            )
        wide = {resource for statement in statements for resource in statement.resources if "*" in resource}
        for resource in sorted(_as_policy_checks_write(self, resource) for resource in wide):
            acknowledge(role, f"AwsSolutions-IAM5[Resource::{resource}]", plan.because)
        self.role_arn = role.role_arn


def _as_policy_checks_write(scope: Construct, resource: str) -> str:
    """The resource with its tokens as cdk-nag writes them: ``<AWS::Partition>``, or the name of an export."""
    resolved = Stack.of(scope).resolve(resource)
    if isinstance(resolved, str):
        return resolved
    return "".join(part if isinstance(part, str) else _token(part) for part in resolved["Fn::Join"][1])


def _token(part: dict[str, str]) -> str:
    ((function, argument),) = part.items()
    return f"<{argument}>" if function == "Ref" else argument
