"""Rights of the agent of Session Manager on an instance, and none of Systems Manager beyond sessions."""

from __future__ import annotations

from aws_cdk import aws_iam as iam

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings

POLICY_NAME = "Sessions"
CHANNELS = (
    "ssmmessages:CreateControlChannel",
    "ssmmessages:CreateDataChannel",
    "ssmmessages:OpenControlChannel",
    "ssmmessages:OpenDataChannel",
)
"""https://docs.aws.amazon.com/systems-manager/latest/userguide/getting-started-create-iam-instance-profile.html

AmazonSSMManagedInstanceCore has these too, and also ``ssm:GetParameter`` on every parameter of the account.
"""


def session_policies(plan: ClusterPlan) -> dict[str, iam.PolicyDocument]:
    """Inline policies of a role: there with the role, so that an instance never starts without them."""
    statements = [
        {"Effect": "Allow", "Action": "ssm:UpdateInstanceInformation", "Resource": any_machine(plan)},
        {"Effect": "Allow", "Action": list(CHANNELS), "Resource": "*"},
    ]
    return {POLICY_NAME: iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": statements})}


def acknowledge_sessions(role: iam.Role, plan: ClusterPlan) -> None:
    """Records on the role why its rights to sessions are as wide as they are."""
    reasons = {
        any_machine(plan): "A machine registers itself under an id that it gets at its launch.",
        "*": "IAM has no resources for the channels of Session Manager.",
    }
    wide = {finding: why for each, why in reasons.items() for finding in wide_resource_findings(role, [each])}
    acknowledge(role, wide | policy_of_one_role())


def any_machine(plan: ClusterPlan) -> str:
    """An instance gets its id at its launch, after its role."""
    return f"arn:{plan.partition}:ec2:{plan.region}:{plan.account}:instance/*"
