"""Statements of key policies that more than one key needs."""

from __future__ import annotations

from aws_cdk import aws_iam as iam

from neuron_cluster.plan.cluster_plan import ClusterPlan


def key_alias(plan: ClusterPlan, purpose: str) -> str:
    """The name by which people find a key of an environment; names of environments are unique in account and Region."""
    return f"alias/neuron-cluster/{plan.name}/{purpose}"


def for_log_groups(plan: ClusterPlan, *log_groups: str) -> iam.PolicyStatement:
    """Lets CloudWatch Logs encrypt the log groups of these name patterns.

    Source: CloudWatch Logs guide, encrypting log data with KMS.
    """
    arns = [f"arn:{plan.partition}:logs:{plan.region}:{plan.account}:log-group:{name}" for name in log_groups]
    return iam.PolicyStatement(
        sid="LogsEncryptTheirGroups",
        principals=[iam.ServicePrincipal(f"logs.{plan.region}.amazonaws.com")],
        actions=[
            "kms:Encrypt",
            "kms:Decrypt",
            "kms:ReEncryptFrom",
            "kms:ReEncryptTo",
            "kms:GenerateDataKey",
            "kms:DescribeKey",
        ],
        resources=["*"],  # in a key policy: this key
        conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": arns if len(arns) > 1 else arns[0]}},
    )
