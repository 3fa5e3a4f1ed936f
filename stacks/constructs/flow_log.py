"""VPC flow logs, to distinguish a hanging collective from a rejected packet."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role
from stacks.constructs.key_statements import add_alias, for_log_groups


class FlowLog(Construct):
    """Rejected traffic of the whole VPC, kept for a month, under a key of its own: the storage stack's comes later.

    Accepted traffic of a training run would cost more than it shows: docs/security.md shows how to record it.
    """

    def __init__(self, scope: Construct, construct_id: str, plan: ClusterPlan, *, vpc_id: str) -> None:
        super().__init__(scope, construct_id)
        group = logs.LogGroup(
            self,
            "Logs",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=cdk.RemovalPolicy.DESTROY,
            encryption_key=self._key(plan),
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

    def _key(self, plan: ClusterPlan) -> kms.Key:
        """CloudFormation names the log group, after its stack unless that is too long for it."""
        key = kms.Key(
            self,
            "Key",
            description=f"Flow logs of Neuron cluster {plan.name}",
            enable_key_rotation=True,
            pending_window=cdk.Duration.days(30),
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        add_alias(key, plan, "network")
        key.add_to_resource_policy(for_log_groups(plan, f"{plan.stack_name('network')}-*"))
        return key
