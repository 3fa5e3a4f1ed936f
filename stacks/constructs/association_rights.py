"""Rights of the agent of Systems Manager to run the associations of its instance, and no other command."""

from __future__ import annotations

from aws_cdk import aws_iam as iam

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.constructs.acknowledgement import acknowledge, wide_resource_findings
from stacks.constructs.session_rights import any_machine

POLICY_NAME = "Associations"


def association_policies(plan: ClusterPlan, document: str) -> dict[str, iam.PolicyDocument]:
    """Inline policies of a role: to list associations, to read their documents, to report their status.

    Source: aws/amazon-ssm-agent: agent/association/service (the calls that it makes).
    """
    statements = [
        {"Effect": "Allow", "Action": "ssm:ListInstanceAssociations", "Resource": any_machine(plan)},
        {
            "Effect": "Allow",
            "Action": "ssm:UpdateInstanceAssociationStatus",
            "Resource": [any_machine(plan), _any_association(plan)],
        },
        {
            "Effect": "Allow",
            "Action": "ssm:GetDocument",
            "Resource": f"arn:{plan.partition}:ssm:{plan.region}::document/{document}",
        },
    ]
    return {POLICY_NAME: iam.PolicyDocument.from_json({"Version": "2012-10-17", "Statement": statements})}


def acknowledge_associations(role: iam.Role, plan: ClusterPlan) -> None:
    """Records on the role why its rights to associations are as wide as they are."""
    reason = "The association names the machine, which has the role: neither id is known when the role is made."
    acknowledge(role, dict.fromkeys(wide_resource_findings(role, [_any_association(plan)]), reason))


def _any_association(plan: ClusterPlan) -> str:
    return f"arn:{plan.partition}:ssm:{plan.region}:{plan.account}:association/*"
