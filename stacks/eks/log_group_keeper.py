"""Log groups that a service makes too, and that outlive their stack: created or adopted, never deleted (ADR 15)."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.toolkit_files import FUNCTIONS
from stacks.constructs.acknowledgement import (
    acknowledge,
    in_checkov,
    in_standards,
    of_custom_resource,
    policy_of_one_role,
)

CODE = FUNCTIONS / "log_group_keeper" / "index.py"
RUNTIME = "python3.13"
TYPE = "Custom::NeuronClusterLogGroup"
FUNCTION_LOGS_DAYS = 30
TIMEOUT_SECONDS = 60
SERVICE_TIMEOUT_SECONDS = 180
"""How long CloudFormation waits for an answer; without it an hour. Longer than the function's own time-out."""
OUTSIDE_THE_VPC = (
    "It calls the CloudWatch Logs API alone, which a VPC without internet may have no endpoint for, and it holds no "
    "interface in the network's subnets."
)
ACTIONS = (
    "logs:AssociateKmsKey",
    "logs:CreateLogGroup",
    "logs:PutLogGroupDeletionProtection",
    "logs:PutRetentionPolicy",
    "logs:TagResource",
    "logs:UntagResource",
)


class LogGroupKeeper(Construct):
    """The function behind the kept log groups of one stack, with rights on these groups alone."""

    def __init__(
        self, scope: Construct, construct_id: str, plan: ClusterPlan, *, log_groups: Sequence[str], key: kms.Key
    ) -> None:
        super().__init__(scope, construct_id)
        self._plan = plan
        self._key = key
        own_logs = self._own_logs()
        role = self._role(log_groups, own_logs)
        self._function = lambda_.CfnFunction(
            self,
            "Function",
            code=lambda_.CfnFunction.CodeProperty(zip_file=CODE.read_text("utf-8")),
            description="Creates or adopts log groups, and never deletes one",
            handler="index.handler",
            logging_config=lambda_.CfnFunction.LoggingConfigProperty(
                log_format="Text", log_group=own_logs.log_group_name
            ),
            memory_size=128,
            role=role.role_arn,
            runtime=RUNTIME,
            timeout=TIMEOUT_SECONDS,
        )
        acknowledge(
            self._function,
            {"AwsSolutions-L1": "The runtime with which CDK runs its own functions of this stack."}
            | in_standards("LambdaInsideVPC", OUTSIDE_THE_VPC)
            | in_checkov(117, OUTSIDE_THE_VPC)
            | of_custom_resource(),
        )

    def keep(self, construct_id: str, log_group: str, *, days: int) -> cdk.CfnResource:
        """The log group with the key and an end of its entries, whether it exists by then or not."""
        return cdk.CfnResource(
            self,
            construct_id,
            type=TYPE,
            properties={
                "ServiceTimeout": SERVICE_TIMEOUT_SECONDS,
                "ServiceToken": self._function.attr_arn,
                "LogGroupName": log_group,
                "LogGroupArn": _arn(self._plan, log_group),
                "KmsKeyId": self._key.key_arn,
                "RetentionInDays": days,
                "Tags": {**self._plan.tags, ENVIRONMENT_TAG: self._plan.name},
            },
        )

    def _own_logs(self) -> logs.LogGroup:
        """Its name is one that the key's policy admits; without ``logs:CreateLogGroup`` Lambda makes no other."""
        return logs.LogGroup(
            self,
            "Logs",
            log_group_name=f"/aws/lambda/{self._plan.name}-log-group-keeper",
            retention=logs.RetentionDays.ONE_MONTH,
            encryption_key=self._key,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )

    def _role(self, log_groups: Sequence[str], own_logs: logs.LogGroup) -> iam.Role:
        arns = [_arn(self._plan, name) for name in log_groups]
        # IAM matches a log group with or without ":*", by the action: CloudWatch Logs guide, "Amazon Resource Names".
        both = [form for arn in arns for form in (arn, f"{arn}:*")]
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            inline_policies={
                "KeepsLogGroups": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(actions=list(ACTIONS), resources=both),
                        iam.PolicyStatement(
                            actions=["logs:CreateLogStream", "logs:PutLogEvents"], resources=[own_logs.log_group_arn]
                        ),
                    ]
                )
            },
        )
        streams = "A log group and its streams, as the Logs API names it in some of these actions; no other group."
        acknowledge(
            role,
            {f"AwsSolutions-IAM5[Resource::{arn}:*]": streams for arn in arns} | policy_of_one_role(),
        )
        return role


def _arn(plan: ClusterPlan, log_group: str) -> str:
    return f"arn:{plan.partition}:logs:{plan.region}:{plan.account}:log-group:{log_group}"
