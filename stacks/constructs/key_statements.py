"""Statements of key policies that more than one key needs."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms

from neuron_cluster.plan.cluster_plan import ClusterPlan


def add_alias(key: kms.Key, plan: ClusterPlan, purpose: str) -> None:
    """The name by which people find a key; names of environments are unique in account and Region.

    By the key's id, as KMS returns it: by its ARN, as the L2 does, the alias looks drifted.
    """
    name = f"alias/neuron-cluster/{plan.name}/{purpose}"
    kms.CfnAlias(key, "Alias", alias_name=name, target_key_id=key.key_id)


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
