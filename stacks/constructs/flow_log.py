"""VPC flow logs, so that a hanging collective can be told from a refused packet."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct


class FlowLog(Construct):
    """Rejected traffic of the whole VPC, kept for a month. Accepted traffic of a training run would cost more than it
    tells."""

    def __init__(self, scope: Construct, construct_id: str, *, vpc_id: str) -> None:
        super().__init__(scope, construct_id)
        group = logs.LogGroup(
            self, "Logs", retention=logs.RetentionDays.ONE_MONTH, removal_policy=cdk.RemovalPolicy.DESTROY
        )
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("vpc-flow-logs.amazonaws.com"))
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
