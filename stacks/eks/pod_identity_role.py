"""An IAM role for a service account, through EKS Pod Identity."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.addon_plan import PodRolePlan
from stacks.constructs.acknowledgement import (
    acknowledge,
    managed_policy_finding,
    policy_of_one_role,
    wide_resource_findings,
)
from stacks.eks.placeholders import Placeholders


class PodIdentityRole(Construct):
    """Pods with the service account in this cluster alone get it: Pod Identity sends their names as session tags.

    Source: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html (conditions), pod-id-abac.html (tags).
    """

    def __init__(self, scope: Construct, construct_id: str, plan: PodRolePlan, placeholders: Placeholders) -> None:
        super().__init__(scope, construct_id)
        role = iam.Role(
            self,
            "Role",
            description=f"{plan.namespace}/{plan.service_account}",
            assumed_by=iam.SessionTagsPrincipal(
                iam.ServicePrincipal("pods.eks.amazonaws.com", conditions=_of_these_pods(plan, placeholders))
            ),
            managed_policies=[iam.ManagedPolicy.from_aws_managed_policy_name(name) for name in plan.managed_policies],
            inline_policies={"Pods": _policy(plan, placeholders)} if plan.statements else None,
        )
        in_step = "AWS keeps this policy in step with the add-on's releases; a copy of ours would fall behind them."
        acknowledge(role, {managed_policy_finding(name): in_step for name in plan.managed_policies})
        wide = {resource for statement in plan.statements for resource in statement.resources if "*" in resource}
        if wide:
            findings = wide_resource_findings(self, map(placeholders.in_text, wide))
            acknowledge(role, dict.fromkeys(findings, plan.because))
        if plan.statements:
            acknowledge(role, policy_of_one_role("The rights of this service account alone, deleted with its role."))
        self.role_arn = role.role_arn


def _of_these_pods(plan: PodRolePlan, placeholders: Placeholders) -> dict[str, dict[str, str]]:
    return {
        "StringEquals": {
            "aws:RequestTag/eks-cluster-arn": placeholders.cluster_arn,
            "aws:RequestTag/kubernetes-namespace": plan.namespace,
            "aws:RequestTag/kubernetes-service-account": plan.service_account,
        }
    }


def _policy(plan: PodRolePlan, placeholders: Placeholders) -> iam.PolicyDocument:
    """Written as IAM reads it: one message to Node.js, where each statement as an object would be one more."""
    return iam.PolicyDocument.from_json(
        {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": list(statement.actions),
                    "Resource": [placeholders.in_text(resource) for resource in statement.resources],
                    "Condition": {
                        operator: {
                            key: [placeholders.in_text(value) for value in values] for key, values in keys.items()
                        }
                        for operator, keys in statement.conditions.items()
                    },
                }
                for statement in plan.statements
            ],
        }
    )
