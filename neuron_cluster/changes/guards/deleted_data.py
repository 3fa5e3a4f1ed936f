"""Edits that change settings in place, after which a service deletes data."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.deleting_edits import (
    ExpiringBucket,
    MirroredDeletions,
    expiring_buckets,
    expiry_text,
    mirror_text,
    mirrored_deletions,
)
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.commands import Command

LOG_RETENTION = "RetentionInDays"
TO_DELETE = f"To deploy the edit with the deletion: `{Command.DEPLOY_WITH_DELETION}`"
UNCOUNTED = "Not counted: no account was queried, which `deploy` and `diff` without --against do"
SOON = "What is older goes within a day after the deploy, the rest when it is that old"


class DataDeleted(Guard):
    """An edit after which a service deletes data of a durable environment is confirmed by name.

    S3 applies a lifecycle rule to the objects that exist, and removes at its next daily run what is older than the
    rule allows; of a directory bucket nothing is left, of another bucket the versions until their own time. A file
    system that begins to mirror passes each deletion on. `deploy` and `diff` count the objects where the caller may
    list the bucket, and compare with the rules that the bucket has, also those that were set by hand; `diff --against`
    queries no account. In an ephemeral environment, and after `--accept-deletion NAME`, it is the warning W9050. Not
    affected: recovery points of AWS Backup, which keep the retention that they were created with, and objects under
    Object Lock.
    """

    id = "E9049"
    source = (
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html; "
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
    )
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each bucket and association."""
        for bucket in expiring_buckets(comparison):
            if bucket.data:
                yield _uncounted(expiry_violation(bucket))
        for edit in mirrored_deletions(comparison):
            yield _uncounted(mirror_violation(edit))


class ReplaceableDataDeleted(Guard):
    """An edit after which a service deletes more than before is known to who deploys it.

    Compiled graphs that expire are compiled again, and log events that CloudWatch Logs deletes are gone; no checkpoint
    is affected. What a durable environment would lose of its data is E9049, until it is confirmed.
    """

    id = "W9050"
    source = "https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html"
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for bucket in expiring_buckets(comparison):
            if bucket.made_again:
                yield cache_violation(bucket)
        for address in sorted(comparison.updated):
            if (found := _shorter_retention(comparison, address)) is not None:
                yield found


def _uncounted(violation: Violation) -> Violation:
    """Returns the violation with the text for uncounted data: a query of the account replaces it."""
    return structs.replace(violation, message=f"{violation.message}. {UNCOUNTED}")


def expiry_violation(bucket: ExpiringBucket) -> Violation:
    """E9049 of a bucket, without what is in it."""
    return Violation(
        bucket.address,
        f"{bucket.name}: S3 would delete {expiry_text(bucket.data)}. {SOON}",
        f"undo the edit, or copy what you need first with aws s3 sync. {TO_DELETE}",
    )


def mirror_violation(edit: MirroredDeletions) -> Violation:
    """E9049 of an association, without what is in the bucket."""
    return Violation(
        edit.address,
        f"storage.lustre.sync would begin to mirror deletions: from the deploy on, FSx {mirror_text(edit)}",
        f"set `mode: archive` in storage.lustre.sync, or copy what only the bucket has first. {TO_DELETE}",
    )


def cache_violation(bucket: ExpiringBucket) -> Violation:
    """W9050 of compiled graphs."""
    return Violation(
        bucket.address,
        f"{bucket.name}: S3 will delete {expiry_text(bucket.made_again)}; jobs compile these graphs again",
        "to keep them, put the former time back into storage.compile_cache.expire_days",
    )


def _shorter_retention(comparison: Comparison, address: Address) -> Violation | None:
    """Returns the violation of a log group, or of the custom resource that sets the retention of one."""
    before, after = (
        str(stacks.properties(address).get(LOG_RETENTION, "")) for stacks in (comparison.before, comparison.after)
    )
    if not after.isdecimal() or (before.isdecimal() and int(before) <= int(after)):
        return None
    former = f"{before} days" if before.isdecimal() else "never"
    return Violation(
        address,
        f"{name_in(comparison, address)}: CloudWatch Logs will delete events {after} days after they are written "
        f"(now: {former}), those that are older within some days",
        "to keep them, undo the edit, or export them first: aws logs create-export-task",
    )
