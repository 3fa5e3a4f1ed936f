"""Statements that the owners of a key and a bucket that exist add to them: a deploy does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.key_policy import instances_statement, log_groups_of, logs_statement, lustre_statement
from neuron_cluster.plan.storage_plan import LifecycleRulePlan, StoragePlan

Addition = tuple[str, dict[str, Any]]
"""The resource, and a statement of its policy or a lifecycle rule as its service spells it."""
RESTRICTIVE = "policy of key, unless it lets IAM policies of the account use it,"
"""Before the ARN of a key whose policy may already allow the statement."""


def existing_policies(plan: ClusterPlan) -> list[Addition]:
    """Statements of key policies, then lifecycle rules."""
    storage = plan.storage
    if storage is None:
        return []
    existing = storage.bucket.existing if storage.bucket is not None else None
    keys = [storage.key_arn, existing.key_arn if existing is not None else None]
    arns = list(dict.fromkeys(each for each in keys if each is not None))
    found: list[Addition] = [(f"policy of key {arn}", each) for arn in arns for each in key_statements(plan, arn)]
    found += [(f"{RESTRICTIVE} {arn}", each) for arn in arns for each in instance_statements(plan, arn)]
    if storage.bucket is not None and existing is not None:
        found += [(f"lifecycle of bucket {existing.name}", _rule(each)) for each in storage.bucket.lifecycle_rules]
    return found


def key_statements(plan: ClusterPlan, arn: str) -> list[dict[str, Any]]:
    """Returns statements that a key policy needs, next to the one that lets IAM policies of the account use it."""
    return list(_key_statements(plan, arn))


def _key_statements(plan: ClusterPlan, arn: str) -> Iterator[dict[str, Any]]:
    storage = plan.storage
    if storage is None:
        return
    place = (plan.partition, plan.region, plan.account)
    if arn == _key_of_bucket(storage) and storage.lustre is not None and storage.lustre.association is not None:
        yield lustre_statement(*place)
    if arn == storage.key_arn:
        yield logs_statement(*place, log_groups_of(plan.name))


def instance_statements(plan: ClusterPlan, arn: str) -> list[dict[str, Any]]:
    """Returns statements for roles of instances, where a key policy does not let IAM policies of the account use it."""
    storage = plan.storage
    paths = [path for each in plan.providers for path in each.bucket_role_paths()]
    if storage is None or storage.bucket is None or not paths or arn != _key_of_bucket(storage):
        return []
    existing = storage.bucket.existing
    name = existing.name if existing is not None else None
    return [instances_statement(plan.partition, plan.region, plan.account, paths, name)]


def _key_of_bucket(storage: StoragePlan) -> str | None:
    """The existing key of the checkpoint bucket, whether the bucket exists or not."""
    existing = storage.bucket.existing if storage.bucket is not None else None
    return existing.key_arn if existing is not None else storage.key_arn


def _rule(plan: LifecycleRulePlan) -> dict[str, Any]:
    return {
        "ID": plan.name,
        "Status": "Enabled",
        "Filter": {"Prefix": plan.prefix},
        "Expiration": {"Days": plan.expire_days},
        "NoncurrentVersionExpiration": {"NoncurrentDays": plan.noncurrent_version_days},
    }
