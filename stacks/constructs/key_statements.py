"""Statements of key policies that more than one key needs."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.key_policy import logs_statement


def add_alias(key: kms.Key, plan: ClusterPlan, purpose: str) -> None:
    """The name by which people find a key; names of environments are unique in account and Region.

    By the key's id, as KMS returns it: by its ARN, as the L2 does, the alias looks drifted.
    """
    name = f"alias/neuron-cluster/{plan.name}/{purpose}"
    kms.CfnAlias(key, "Alias", alias_name=name, target_key_id=key.key_id)


def for_log_groups(plan: ClusterPlan, *log_groups: str) -> iam.PolicyStatement:
    """Lets CloudWatch Logs encrypt the log groups of these name patterns."""
    return iam.PolicyStatement.from_json(logs_statement(plan.partition, plan.region, plan.account, *log_groups))
