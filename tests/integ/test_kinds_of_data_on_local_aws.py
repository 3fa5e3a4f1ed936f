"""One kind of data after another in an environment without a cluster: changed in place, and deleted by name.

Each test leaves nothing of it. ``test_storage_kinds_on_local_aws.py`` has all kinds together.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from neuron_cluster.aws.session import LocalTarget, client

from .only_data import ONLY_DATA, with_only_data

pytestmark = pytest.mark.slow

WITH_EXPRESS = ONLY_DATA.replace(
    "  lustre: {availability_zone: usw2-az4, capacity_gib: 1200}\n",
    "  express: {availability_zone: usw2-az4, expiration_days: 30}\n",
)


@pytest.mark.exhaustive
def test_a_directory_bucket_changes_in_place_and_is_deleted_with_objects_by_its_name(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, WITH_EXPRESS)
    assert command("deploy", "--local", "only-data").status == 0
    s3 = client(target, "s3")
    (bucket,) = [each["Name"] for each in s3.list_buckets()["Buckets"] if each["Name"].endswith("--usw2-az4--x-s3")]
    s3.put_object(Bucket=bucket, Key="step-1/model", Body=b"weights")
    s3.create_multipart_upload(Bucket=bucket, Key="step-2/model")
    with_only_data(project, WITH_EXPRESS.replace("expiration_days: 30", "expiration_days: 7"))
    stopped = command("deploy", "--local", "only-data")
    assert (stopped.status, [each["id"] for each in stopped.document["findings"]]) == (1, ["E9049"])
    assert command("deploy", "--local", "only-data", "--accept-deletion", "only-data").status == 0
    rules = s3.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert [each["Expiration"]["Days"] for each in rules if "Expiration" in each] == [7]
    with_only_data(
        project, WITH_EXPRESS.replace("express: {availability_zone: usw2-az4", "express: {availability_zone: usw2-az1")
    )
    moved = command("deploy", "--local", "only-data")
    assert (moved.status, [each["id"] for each in moved.document["findings"]]) == (1, ["E9001"])
    with_only_data(project, WITH_EXPRESS)
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert bucket not in [each["Name"] for each in s3.list_buckets()["Buckets"]]


TIERING = ONLY_DATA.replace("capacity_gib: 1200", "storage_type: intelligent_tiering, throughput_mbps: 8000")


@pytest.mark.exhaustive
@pytest.mark.hints("E9011")
def test_the_throughput_of_intelligent_tiering_is_raised_in_place_and_never_lowered(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, TIERING)
    first = command("deploy", "--local", "only-data")
    assert first.status == 0, first.document
    fsx = client(target, "fsx")
    (made,) = fsx.describe_file_systems()["FileSystems"]
    with_only_data(project, TIERING.replace("throughput_mbps: 8000", "throughput_mbps: 12000, read_cache_gib: 0"))
    assert command("deploy", "--local", "only-data").status == 0
    (raised,) = fsx.describe_file_systems()["FileSystems"]
    assert raised["FileSystemId"] == made["FileSystemId"]
    assert raised["LustreConfiguration"]["ThroughputCapacity"] == 12000
    assert raised["LustreConfiguration"]["DataReadCacheConfiguration"] == {"SizingMode": "NO_CACHE"}
    with_only_data(project, TIERING)
    lowered = command("deploy", "--local", "only-data")
    assert [each["id"] for each in lowered.document["findings"]] == ["E9011"]
    assert "throughput_mbps: 12000" in lowered.document["findings"][0]["hint"]
    with_only_data(project)
    replaced = command("deploy", "--local", "only-data")
    assert "E9001" in [each["id"] for each in replaced.document["findings"]]
    with_only_data(project, TIERING)
    assert command("destroy", "--local", "only-data", "--delete-data", "only-data").status == 0
    assert fsx.describe_file_systems()["FileSystems"] == []


KEY = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
REPLICATION = f"replication: {{bucket: checkpoints-replica, region: us-east-2, key_arn: '{KEY}'}}"


def with_bucket(keys: str) -> str:
    return ONLY_DATA.replace("checkpoint_bucket: {}", f"checkpoint_bucket: {{{keys}}}")


@pytest.mark.exhaustive
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


WITH_BACKUP = (
    ONLY_DATA
    + """
  homes: [{name: alice, availability_zone: usw2-az4, size_gib: 100}]
  efs: {access_points: [{name: home, path: /home}]}
  backup:
    resources: [homes, lustre, efs]
    rules: [{name: daily, schedule: "cron(0 5 ? * * *)", delete_after_days: 35}]
    vault_lock: {min_days: 7}
"""
)


def selected(backup: Any, plan: str) -> dict[str, str]:
    """The ARN by name of each selection."""
    rows = backup.list_backup_selections(BackupPlanId=plan)["BackupSelectionsList"]
    found = [
        backup.get_backup_selection(BackupPlanId=plan, SelectionId=each["SelectionId"])["BackupSelection"]
        for each in rows
    ]
    return {each["SelectionName"]: each["Resources"][0] for each in found}


def backed_up(backup: Any, vault: str, arn: str, role: str) -> str:
    """How a job for the resource ends."""
    job = backup.start_backup_job(
        BackupVaultName=vault, ResourceArn=arn, IamRoleArn=role, Lifecycle={"DeleteAfterDays": 35}
    )
    return str(backup.describe_backup_job(BackupJobId=job["BackupJobId"])["State"])


@pytest.mark.exhaustive
def test_the_backup_plan_changes_in_place_and_the_vault_stays_until_data_is_deleted(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    with_only_data(project, WITH_BACKUP)
    first = command("deploy", "--local", "only-data")
    assert first.status == 0, first.err + str(first.document)
    backup = client(target, "backup")
    (vault,) = backup.list_backup_vaults()["BackupVaultList"]
    (plan,) = [each["BackupPlanId"] for each in backup.list_backup_plans()["BackupPlansList"]]
    name, arns = vault["BackupVaultName"], selected(backup, plan)
    role = backup.list_backup_selections(BackupPlanId=plan)["BackupSelectionsList"][0]["IamRoleArn"]
    assert (vault["Locked"], vault["MinRetentionDays"], set(arns)) == (True, 7, {"home-alice", "lustre", "efs"})
    assert [backed_up(backup, name, arn, role) for arn in arns.values()] == ["COMPLETED"] * 3
    points = backup.list_recovery_points_by_backup_vault(BackupVaultName=name)["RecoveryPoints"]
    assert sorted(each["ResourceType"] for each in points) == ["EBS", "EFS", "FSx"]
    refused = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert refused.status == 1
    assert "3 recovery points, which its vault lock protects; nothing was deleted" in str(refused.document)
    edited = WITH_BACKUP.replace("delete_after_days: 35", "delete_after_days: 70").replace(
        "vault_lock: {min_days: 7}", ""
    )
    edited = edited.replace("[homes, lustre, efs]", "[homes, checkpoint_bucket]").replace("1200}", "1200, sync: {}}")
    with_only_data(project, edited)
    second = command("deploy", "--local", "only-data")
    assert second.status == 0, second.err + str(second.document)
    (same,) = backup.list_backup_vaults()["BackupVaultList"]
    assert (same["BackupVaultName"], same["Locked"]) == (name, False)
    (rule,) = backup.get_backup_plan(BackupPlanId=plan)["BackupPlan"]["Rules"]
    assert rule["Lifecycle"]["DeleteAfterDays"] == 70
    now = selected(backup, plan)
    assert now == {"home-alice": arns["home-alice"], "checkpoint-bucket": now["checkpoint-bucket"]}
    assert backed_up(backup, name, arns["lustre"], role) == "FAILED", "it is linked to the bucket now"
    with_only_data(project, ONLY_DATA.replace("1200}", "1200, sync: {}}"))
    removed = command("deploy", "--local", "only-data")
    assert (removed.status, "E9002" in removed.ids) == (1, True)
    with_only_data(project, edited)
    assert command("destroy", "--local", "only-data").status == 0
    assert [each["BackupVaultName"] for each in backup.list_backup_vaults()["BackupVaultList"]] == [name]
    destroyed = command("destroy", "--local", "only-data", "--delete-data", "only-data")
    assert destroyed.status == 0, destroyed.document
    assert backup.list_backup_vaults()["BackupVaultList"] == []
