"""Statements of key policies that more than one key needs."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam


def for_log_groups(stack: cdk.Stack, log_groups: str) -> iam.PolicyStatement:
    """Lets CloudWatch Logs encrypt the log groups of this name pattern.

    Source: CloudWatch Logs guide, encrypting log data with KMS.
    """
    arn = f"arn:{stack.partition}:logs:{stack.region}:{stack.account}:log-group:{log_groups}"
    return iam.PolicyStatement(
        sid="LogsEncryptTheirGroups",
        principals=[iam.ServicePrincipal(f"logs.{stack.region}.amazonaws.com")],
        actions=[
            "kms:Encrypt",
            "kms:Decrypt",
            "kms:ReEncryptFrom",
            "kms:ReEncryptTo",
            "kms:GenerateDataKey",
            "kms:DescribeKey",
        ],
        resources=["*"],  # in a key policy: this key
        conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": arn}},
    )
