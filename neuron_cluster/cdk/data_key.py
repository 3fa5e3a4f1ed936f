"""The key of data in the stack of another app."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from constructs import Construct

from neuron_cluster.cdk.key_policies import lustre_of_account


def data_key(scope: Construct, construct_id: str, described: str, *, removal_policy: cdk.RemovalPolicy) -> kms.Key:
    """A customer managed key with rotation, which FSx for Lustre may use for data repositories in S3."""
    key = kms.Key(
        scope,
        construct_id,
        description=f"Data of {described}",
        enable_key_rotation=True,
        pending_window=cdk.Duration.days(30),
        removal_policy=removal_policy,
    )
    key.add_to_resource_policy(lustre_of_account(scope))
    return key
