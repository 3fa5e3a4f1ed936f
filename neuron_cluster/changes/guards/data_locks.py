"""Locks of data that AWS does not remove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in

BUCKET, VAULT = "AWS::S3::Bucket", "AWS::Backup::BackupVault"


class ObjectLockRemoved(Guard):
    """Object Lock stays in the file of a bucket that has it (`object_lock`).

    S3 never disables Object Lock, nor versioning of a bucket that has it. It rejects the update in the middle of the
    deploy, which then rolls back.
    """

    id = "E9047"
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if comparison.type_of(address) != BUCKET:
                continue
            before, after = (stacks.properties(address) for stacks in (comparison.before, comparison.after))
            if before.get("ObjectLockEnabled") and not after.get("ObjectLockEnabled"):
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} has Object Lock, which S3 never disables",
                    f"put object_lock back: {_as_key(before)}, or the shortest, "
                    "object_lock: {mode: governance, days: 1}, which holds for new objects",
                )


def _as_key(properties: Mapping[str, Any]) -> str:
    retention = properties.get("ObjectLockConfiguration", {}).get("Rule", {}).get("DefaultRetention", {})
    return f"object_lock: {{mode: {str(retention.get('Mode')).lower()}, days: {retention.get('Days')}}}"


class ComplianceLockChanged(Guard):
    """A vault lock in compliance mode is changed only before its date (`vault_lock`).

    After changeable_days the lock is permanent. AWS Backup then rejects the update in the middle of the deploy, which
    rolls back; no recovery point is lost.
    """

    id = "W9048"
    source = "https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in sorted(comparison.updated):
            if comparison.type_of(address) != VAULT:
                continue
            before, after = (
                stacks.properties(address).get("LockConfiguration", {})
                for stacks in (comparison.before, comparison.after)
            )
            if "ChangeableForDays" in before and after != before:
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} has a lock in compliance mode, which was changeable for "
                    f"{before['ChangeableForDays']} days",
                    "keep vault_lock as it is deployed, unless LockDate of `aws backup list-backup-vaults` is in the "
                    "future",
                )
