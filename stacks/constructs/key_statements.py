"""Statements of key policies that more than one key needs."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.key_policy import logs_statement


def add_alias(key: kms.Key, name: str) -> None:
    """The name by which people find a key.

    By the key's id, as KMS returns it: by its ARN, as the L2 does, the alias looks drifted.
    """
    kms.CfnAlias(key, "Alias", alias_name=name, target_key_id=key.key_id)


def alias_name(plan: ClusterPlan, purpose: str) -> str:
    """Names of environments are unique in account and Region."""
    return f"alias/neuron-cluster/{plan.name}/{purpose}"


def for_log_groups(plan: ClusterPlan, *log_groups: str) -> iam.PolicyStatement:
    """Lets CloudWatch Logs encrypt the log groups of these name patterns."""
    return iam.PolicyStatement.from_json(logs_statement(plan.partition, plan.region, plan.account, *log_groups))
