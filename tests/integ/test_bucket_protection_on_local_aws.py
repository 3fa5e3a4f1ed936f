"""Replication and Object Lock: added to a deployed bucket in place, changed, and what can be removed is removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow

KEY = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
REPLICATION = f"replication: {{bucket: checkpoints-replica, region: us-east-2, key_arn: '{KEY}'}}"


def with_bucket(keys: str) -> str:
    return ONLY_DATA.replace("checkpoint_bucket: {}", f"checkpoint_bucket: {{{keys}}}")


def test_a_bucket_is_replicated_and_locked_in_place_and_never_unlocked(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project)
    assert command("deploy", "--local", "only-data").status == 0
    s3 = client(target, "s3")
    (bucket,) = [each["Name"] for each in s3.list_buckets()["Buckets"] if each["Name"].startswith("only-data")]
    s3.put_object(Bucket=bucket, Key="golden/old", Body=b"weights")
    with_only_data(project, with_bucket(REPLICATION))
    replicated = command("deploy", "--local", "only-data")
    assert replicated.status == 0, replicated.err + str(replicated.document)
    (rule,) = s3.get_bucket_replication(Bucket=bucket)["ReplicationConfiguration"]["Rules"]
    assert rule["Destination"]["EncryptionConfiguration"] == {"ReplicaKmsKeyID": KEY}
    with_only_data(project, with_bucket("object_lock: {mode: governance, days: 7}"))
    locked = command("deploy", "--local", "only-data")
    assert locked.status == 0, locked.err + str(locked.document)
    with pytest.raises(ClientError, match="ReplicationConfigurationNotFoundError"):
        s3.get_bucket_replication(Bucket=bucket)
    version = s3.put_object(Bucket=bucket, Key="golden/new", Body=b"weights")["VersionId"]
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.delete_object(Bucket=bucket, Key="golden/new", VersionId=version)
    with_only_data(project)
    unlocked = command("deploy", "--local", "only-data")
    assert (unlocked.status, unlocked.ids) == (1, ["E9047"])
    s3.delete_object(Bucket=bucket, Key="golden/new", VersionId=version, BypassGovernanceRetention=True)
    with_only_data(project, with_bucket("object_lock: {mode: governance, days: 7}"))
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
