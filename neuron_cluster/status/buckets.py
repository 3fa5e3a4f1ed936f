"""The state of the checkpoint bucket: versions, public access, lifecycle rules."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.aws.bucket_state import BucketState, bucket_state
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.findings.text import counted, listed
from neuron_cluster.plan.core_stacks import STORAGE
from neuron_cluster.plan.storage_plan import BucketPlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.status.held_subjects import gone, ids_or_line
from neuron_cluster.status.newest_checkpoint import newest_checkpoint_line
from neuron_cluster.status.replication import replication_lines

SUBJECT, ENABLED = "checkpoint bucket", "Enabled"
BLOCKS = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true"


def bucket_lines(query: StatusQuery, plan: BucketPlan) -> Iterator[StatusLine]:
    if plan.existing is not None:
        yield from _lines(query, plan.existing.name, plan)
        return
    names = ids_or_line(query, SUBJECT, STORAGE.stack_key, "AWS::S3::Bucket")
    if isinstance(names, StatusLine):
        yield names
        return
    for name in names:
        yield from _lines(query, name, plan)


def _lines(query: StatusQuery, name: str, plan: BucketPlan) -> Iterator[StatusLine]:
    """Yields a line for each setting that is not as it should be, or one for the bucket."""
    found = reading("s3", lambda: bucket_state(query.access.target, name))
    if isinstance(found, NotRead):
        yield query.not_read(SUBJECT, found)
    elif found is None:
        yield gone(query, f"{SUBJECT} {name}", STORAGE.stack_key)
    else:
        settings = [*_versioning(query, name, found)]
        read = "versioned"
        if plan.existing is None:  # its owner decides the others
            settings += [*_public_access(query, name, found), *_rules(query, name, found, plan)]
            read = "versioned, blocks public access, has its lifecycle rules"
        yield from settings or [healthy(SUBJECT, f"{name}: {read}")]
        yield newest_checkpoint_line(query, name)
        if plan.replication is not None:
            yield from replication_lines(query, name, plan.replication)


def _versioning(query: StatusQuery, name: str, found: BucketState) -> Iterator[StatusLine]:
    subject = f"versioning of {name}"
    if isinstance(found.versioning, NotRead):
        yield query.not_read(subject, found.versioning)
    elif found.versioning != ENABLED:
        command = query.access.aws_command(
            "s3api put-bucket-versioning", bucket=name, versioning_configuration=f"Status={ENABLED}"
        )
        state = found.versioning or "off"
        yield error(subject, f"it is {state}: what is deleted or overwritten now cannot be restored", command)


def _public_access(query: StatusQuery, name: str, found: BucketState) -> Iterator[StatusLine]:
    subject = f"public access to {name}"
    if isinstance(found.blocks_public_access, NotRead):
        yield query.not_read(subject, found.blocks_public_access)
    elif not found.blocks_public_access:
        command = query.access.aws_command(
            "s3api put-public-access-block", bucket=name, public_access_block_configuration=BLOCKS
        )
        yield error(subject, "S3 does not block it: a policy or an ACL can open the bucket", command)


def _rules(query: StatusQuery, name: str, found: BucketState, plan: BucketPlan) -> Iterator[StatusLine]:
    subject = f"lifecycle of {name}"
    if isinstance(found.enabled_rules, NotRead):
        yield query.not_read(subject, found.enabled_rules)
        return
    planned = 1 + len(plan.lifecycle_rules)
    lacking = [rule.name for rule in plan.lifecycle_rules if rule.name not in found.enabled_rules]
    if lacking or len(found.enabled_rules) < planned:
        command = query.access.aws_command("s3api get-bucket-lifecycle-configuration", bucket=name)
        enabled = f"{len(found.enabled_rules)} of {counted(planned, 'rule')} enabled"
        named = f", without {listed(lacking)}" if lacking else ""
        yield warning(subject, f"{enabled}{named}: old objects and versions stay and are billed", command)
