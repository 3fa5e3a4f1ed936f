"""Where what services report after a deploy differs from the file: CloudFormation compares templates only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.protocol.difference import difference

if TYPE_CHECKING:
    from neuron_cluster.aws.kms import Key
    from neuron_cluster.aws.s3 import Bucket
    from neuron_cluster.deploy.existing import Existing
    from neuron_cluster.findings.finding import Finding
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.storage_plan import StoragePlan
    from neuron_cluster.protocol.aws_access import AwsAccess

BLOCKS = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")
"""https://docs.aws.amazon.com/AmazonS3/latest/API/API_PublicAccessBlockConfiguration.html"""


def differences(existing: Existing, plan: ClusterPlan, access: AwsAccess) -> list[Finding]:
    """W9652 for each setting that was read back and that the file has otherwise."""
    keys = {key.id for key in existing.keys}
    if plan.storage is not None and plan.storage.key_arn is not None:
        keys.add(plan.storage.key_arn.rpartition("/")[2])
    own = {name for part in plan.providers for name in part.own_buckets()}
    return [
        *(found for bucket in existing.buckets if bucket.name not in own for found in _of_bucket(bucket, keys, access)),
        *(found for key in existing.keys for found in _of_key(key, access)),
        *(_of_storage(existing, plan.storage, access) if plan.storage is not None else ()),
        *(found for each in existing.providers for found in each.differences(plan, access)),
    ]


def _of_bucket(bucket: Bucket, keys: set[str], access: AwsAccess) -> Iterator[Finding]:
    """Stacks create each bucket with versions, SSE-KMS and without public access."""
    if not bucket.is_versioned:
        command = access.aws_command(
            "s3api put-bucket-versioning", bucket=bucket.name, versioning_configuration="Status=Enabled"
        )
        hint = f"what is overwritten or deleted since then is lost: `{command}` turns it on"
        yield difference(bucket.name, "versioning of the bucket", "suspended", "enabled", hint)
    algorithm, _, key = bucket.encryption.partition(" ")
    if algorithm != "aws:kms" or key not in keys:
        command = access.aws_command("s3api get-bucket-encryption", bucket=bucket.name)
        hint = f"`{command}` shows it: set it to SSE-KMS with the key of the file; objects keep theirs"
        yield difference(bucket.name, "default encryption of the bucket", bucket.encryption or "none", "its key", hint)
    if not bucket.blocks_public_access:
        command = access.aws_command(
            "s3api put-public-access-block",
            bucket=bucket.name,
            public_access_block_configuration=",".join(f"{block}=true" for block in BLOCKS),
        )
        hint = f"`{command}` blocks it"
        yield difference(bucket.name, "public access to the bucket", "not all of it blocked", "all of it blocked", hint)


def _of_key(key: Key, access: AwsAccess) -> Iterator[Finding]:
    """Stacks create each key with rotation."""
    name = key.aliases[0] if key.aliases else key.id
    if key.state != "Enabled":
        enable = access.aws_command("kms enable-key", key_id=key.id)
        cancel = access.aws_command("kms cancel-key-deletion", key_id=key.id)
        steps = f"`{cancel}`, then `{enable}`" if key.state == "PendingDeletion" else f"`{enable}`"
        yield difference(name, "the KMS key", key.state, "an enabled key", f"nothing it encrypts can be read: {steps}")
    elif not key.rotates:
        command = access.aws_command("kms enable-key-rotation", key_id=key.id)
        yield difference(name, "rotation of the KMS key", "off", "on", f"`{command}` turns it on")


def _of_storage(existing: Existing, plan: StoragePlan, access: AwsAccess) -> Iterator[Finding]:
    if plan.bucket is not None and plan.bucket.existing is None and not existing.buckets:
        command = access.aws_command("s3api list-buckets")
        hint = f"`{command}` lists those of the account; objects of a deleted bucket cannot be restored"
        yield difference("storage.checkpoint_bucket", "the bucket", "not there", "a bucket", hint)
    if plan.lustre is not None and plan.lustre.existing is None:
        yield from _of_lustre(existing, plan.lustre.capacity_gib, plan.lustre.throughput_mbps_per_tib, access)
    if plan.efs is not None:
        for system in existing.efs_file_systems:
            if system.throughput_mode != plan.efs.throughput_mode:
                mode = plan.efs.throughput_mode
                command = access.aws_command("efs update-file-system", file_system_id=system.id, throughput_mode=mode)
                yield difference(system.id, "throughput", system.throughput_mode, mode, f"`{command}` sets it")


def _of_lustre(
    existing: Existing, capacity: int | None, throughput: int | None, access: AwsAccess
) -> Iterator[Finding]:
    """Without the capacity that FSx has while it grows."""
    for each in existing.file_systems:
        system = each.file_system
        command = access.aws_command("fsx describe-file-systems", file_system_ids=system.id)
        hint = f"`{command}` shows when it was changed: write what it has into storage.lustre"
        if capacity is not None and (system.capacity_gib or 0) > capacity:
            yield difference(system.id, "Lustre capacity", f"{system.capacity_gib:,} GiB", f"{capacity:,} GiB", hint)
        if throughput is not None and system.throughput_mbps_per_tib not in (None, throughput):
            reported = f"{system.throughput_mbps_per_tib} MB/s per TiB"
            yield difference(system.id, "Lustre throughput", reported, f"{throughput} MB/s per TiB", hint)
