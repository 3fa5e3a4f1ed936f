"""Backup jobs make recovery points, or fail as AWS Backup's do; a lock and a vault with points are not deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

ROLE = "arn:aws:iam::111122223333:role/backup"
VOLUME = "arn:aws:ec2:us-west-2:111122223333:volume/vol-0123456789abcdef0"
Refused = Callable[..., tuple[str, str]]


@pytest.fixture
def backup(client: Callable[[str], Any]) -> Any:
    service = client("backup")
    service.create_backup_vault(BackupVaultName="homes")
    return service


def started(backup: Any, arn: str = VOLUME, days: int = 35) -> dict[str, Any]:
    job = backup.start_backup_job(
        BackupVaultName="homes", ResourceArn=arn, IamRoleArn=ROLE, Lifecycle={"DeleteAfterDays": days}
    )
    found: dict[str, Any] = backup.describe_backup_job(BackupJobId=job["BackupJobId"])
    return found


def points(backup: Any, **filters: str) -> list[str]:
    listed = backup.list_recovery_points_by_backup_vault(BackupVaultName="homes", **filters)["RecoveryPoints"]
    return [each["RecoveryPointArn"] for each in listed]


def test_a_job_makes_a_recovery_point_of_its_resource(backup: Any, refused: Refused) -> None:
    job = started(backup)
    started(backup, "arn:aws:s3:::checkpoints")
    assert (job["State"], job["ResourceType"]) == ("COMPLETED", "EBS")
    efs = started(backup, "arn:aws:elasticfilesystem:us-west-2:111122223333:file-system/fs-0123456789abcdef0")
    assert (efs["State"], efs["ResourceType"]) == ("COMPLETED", "EFS")
    assert points(backup, ByResourceType="EBS") == points(backup, ByResourceArn=VOLUME) == [job["RecoveryPointArn"]]
    assert backup.describe_backup_vault(BackupVaultName="homes")["NumberOfRecoveryPoints"] == 3
    code, text = refused(backup.delete_backup_vault, BackupVaultName="homes")
    assert (code, "contains recovery points" in text) == ("InvalidRequestException", True)
    for arn in points(backup):
        backup.delete_recovery_point(BackupVaultName="homes", RecoveryPointArn=arn)
    backup.delete_backup_vault(BackupVaultName="homes")


def test_a_lock_keeps_recovery_points_and_admits_retentions(backup: Any, refused: Refused) -> None:
    (arn,) = [started(backup)["RecoveryPointArn"]]
    backup.put_backup_vault_lock_configuration(BackupVaultName="homes", MinRetentionDays=7, MaxRetentionDays=70)
    assert [started(backup, days=days)["State"] for days in (6, 7, 70, 71)] == [
        "FAILED",
        "COMPLETED",
        "COMPLETED",
        "FAILED",
    ]
    code, text = refused(backup.delete_recovery_point, BackupVaultName="homes", RecoveryPointArn=arn)
    assert (code, "the backup vault is locked" in text) == ("InvalidRequestException", True)
    backup.delete_backup_vault_lock_configuration(BackupVaultName="homes")
    backup.delete_recovery_point(BackupVaultName="homes", RecoveryPointArn=arn)
    assert arn not in points(backup)


def test_what_does_not_exist(backup: Any, refused: Refused) -> None:
    missing = "ResourceNotFoundException"
    assert refused(backup.describe_backup_job, BackupJobId="none")[0] == missing
    assert refused(backup.delete_recovery_point, BackupVaultName="homes", RecoveryPointArn=VOLUME)[0] == missing
    asked = {"BackupVaultName": "none", "ResourceArn": VOLUME, "IamRoleArn": ROLE}
    assert refused(backup.start_backup_job, **asked)[0] == missing
