"""VPC flow logs, to distinguish a hanging collective from a rejected packet."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from constructs import Construct

from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role
from stacks.constructs.key_statements import add_alias


class FlowLog(Construct):
    """Rejected traffic of the whole VPC, kept for a month, under a key of its own: the storage stack's comes later.

    Accepted traffic of a training run would cost more than it shows: docs/security.md shows how to record it.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc_id: str,
        described: str,
        for_logs: iam.PolicyStatement,
        alias: str | None = None,
    ) -> None:
        """``described`` names the owner in the description of the key, whose policy has the statement ``for_logs``.

        CloudFormation names the log group, after its stack unless that is too long for it.
        """
        super().__init__(scope, construct_id)
        key = self._key(described)
        if alias is not None:
            add_alias(key, alias)
        key.add_to_resource_policy(for_logs)
        group = logs.LogGroup(
            self,
            "Logs",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=cdk.RemovalPolicy.DESTROY,
            encryption_key=key,
        )
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("vpc-flow-logs.amazonaws.com"))
        acknowledge(role, policy_of_one_role())
        group.grant(
            role,
            "logs:CreateLogStream",
            "logs:PutLogEvents",
            "logs:DescribeLogStreams",
        )
        ec2.CfnFlowLog(
            self,
            "FlowLog",
            resource_id=vpc_id,
            resource_type="VPC",
            traffic_type="REJECT",
            log_destination_type="cloud-watch-logs",
            log_group_name=group.log_group_name,
            deliver_logs_permission_arn=role.role_arn,
        )

    def _key(self, described: str) -> kms.Key:
        return kms.Key(
            self,
            "Key",
            description=f"Flow logs of {described}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
