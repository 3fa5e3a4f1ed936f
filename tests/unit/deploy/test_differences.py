"""Buckets, keys and file systems after a deploy, held against the file."""

from __future__ import annotations

from typing import Any

import pytest
from hint_commands import command_error, commands_in
from msgspec import structs

from neuron_cluster.aws.efs import EfsFileSystem
from neuron_cluster.aws.fsx import FileSystem
from neuron_cluster.aws.kms import Key
from neuron_cluster.aws.s3 import Bucket
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.differences import differences
from neuron_cluster.deploy.existing import Existing, ExistingFileSystem
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.efs_plan import EfsPlan

HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
BUCKET = Bucket("checkpoints", is_versioned=True, encryption="aws:kms key-1", blocks_public_access=True)
KEY = Key("key-1", "Enabled", rotates=True, aliases=("alias/train",))


def found(plan: ClusterPlan, **parts: Any) -> list[str]:
    """Messages; each hint has commands that can be run as they are."""
    whole = Existing(**{**dict.fromkeys(Existing.__struct_fields__, ()), "buckets": (BUCKET,), "keys": (KEY,), **parts})
    result = differences(whole, plan, HERE)
    assert {each.id for each in result} <= {"W9652"}
    assert all(commands_in(each.hint) for each in result)
    assert [error for each in result for command in commands_in(each.hint) if (error := command_error(command))] == []
    return [each.message for each in result]


@pytest.mark.parametrize(
    ("part", "value", "text"),
    [
        ("buckets", structs.replace(BUCKET, is_versioned=False), "versioning of the bucket: the service reports susp"),
        ("buckets", structs.replace(BUCKET, blocks_public_access=False), "public access to the bucket"),
        ("buckets", structs.replace(BUCKET, encryption="AES256"), "the service reports AES256"),
        ("buckets", structs.replace(BUCKET, encryption="aws:kms key-2"), "the service reports aws:kms key-2"),
        ("keys", structs.replace(KEY, rotates=False), "rotation of the KMS key: the service reports off"),
        ("keys", structs.replace(KEY, state="PendingDeletion"), "the KMS key: the service reports PendingDeletion"),
        ("keys", structs.replace(KEY, state="Disabled"), "the KMS key: the service reports Disabled"),
    ],
)
def test_a_bucket_or_key_that_is_not_as_the_stacks_create_it_is_a_warning(
    part: str, value: object, text: str, training: ClusterPlan
) -> None:
    assert found(training) == []
    (message,) = found(training, **{part: (value,)})
    assert text in message


def test_a_bucket_that_was_deleted_is_a_warning(training: ClusterPlan) -> None:
    (message,) = found(training, buckets=())
    assert message == "the bucket: the service reports not there, the file has a bucket"


def test_a_file_system_that_was_changed_is_a_warning(training: ClusterPlan) -> None:
    assert training.storage is not None
    assert training.storage.lustre is not None
    planned = training.storage.lustre
    size, tier = planned.capacity_gib, planned.throughput_mbps_per_tib
    assert size is not None
    assert tier is not None
    system = FileSystem("fs-1", "AVAILABLE", size, planned.deployment_type, tier, "key")
    same, larger, faster = (
        (ExistingFileSystem(structs.replace(system, **changed), ()),)
        for changed in ({}, {"capacity_gib": 2 * size}, {"throughput_mbps_per_tib": 2 * tier})
    )
    assert found(training, file_systems=same) == []
    assert found(training, file_systems=larger) == [
        f"Lustre capacity: the service reports {2 * size:,} GiB, the file has {size:,} GiB"
    ]
    assert found(training, file_systems=faster) == [
        f"Lustre throughput: the service reports {2 * tier} MB/s per TiB, the file has {tier} MB/s per TiB"
    ]
    efs = EfsPlan(("storage", "efs"), "elastic", False, (), ())
    plan = structs.replace(training, storage=structs.replace(training.storage, efs=efs))
    (message,) = found(plan, efs_file_systems=(EfsFileSystem("fs-2", "available", "bursting", 0),))
    assert message == "throughput: the service reports bursting, the file has elastic"
