"""Decisions about replication: the account, and prefixes as S3 has them."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.bucket_replication import BucketReplication
from neuron_cluster.plan.replication_plan import ReplicationPlan


def build_replication(account: str, spec: BucketReplication, catalog: Catalog) -> ReplicationPlan:
    """``account`` is that of the environment."""
    minutes = catalog.limits["s3_replication_time"].require_maximum()
    target = spec.account or account
    return ReplicationPlan(
        path=("storage", "checkpoint_bucket", "replication"),
        bucket=spec.bucket,
        region=spec.region,
        account=target,
        is_other_account=target != account,
        key_arn=spec.key_arn,
        prefixes=tuple(f"{prefix}/" for prefix in spec.prefixes),
        delete_markers=spec.delete_markers,
        time_control_minutes=minutes if spec.time_control else None,
    )
