"""Backup jobs on demand, which end at once, and the recovery points that they make. No schedule ever runs."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import guard, operation
from local_aws.services.table import Table, tables

SERVICE = "backup"
VAULT = "AWS::Backup::BackupVault"
POINTS = "NumberOfRecoveryPoints"
KINDS = {
    ("ec2", "volume"): "EBS",
    ("fsx", "file-system"): "FSx",
    ("elasticfilesystem", "file-system"): "EFS",
    ("s3", ""): "S3",
}
"""Resource types by the service of their ARNs and what is before the id; a bucket has nothing there."""


@operation(SERVICE, "StartBackupJob")
def start_backup_job(call: Call) -> Mapping[str, Any]:
    """The job has failed where AWS Backup accepts the request and makes no recovery point."""
    vault, given = _vault(call), call.parameters
    job = {
        "BackupJobId": str(uuid.uuid4()),
        "BackupVaultName": given["BackupVaultName"],
        "ResourceArn": given["ResourceArn"],
        "ResourceType": _kind(given["ResourceArn"]),
        "IamRoleArn": given["IamRoleArn"],
        "AccountId": call.account,
        "CreationDate": CLOCK.now(),
        "CompletionDate": CLOCK.now(),
    }
    fault = _fault(call, vault)
    job |= {"State": "FAILED", "StatusMessage": fault} if fault else {"State": "COMPLETED", **_new_point(call, job)}
    call.table("jobs")[job["BackupJobId"]] = job
    return {name: job[name] for name in ("BackupJobId", "RecoveryPointArn", "CreationDate") if name in job}


@operation(SERVICE, "DescribeBackupJob")
def describe_backup_job(call: Call) -> Mapping[str, Any]:
    job: Mapping[str, Any] | None = call.table("jobs").get(call.parameters["BackupJobId"])
    if job is None:
        raise api_error("backup.no_job", job=call.parameters["BackupJobId"])
    return job


@operation(SERVICE, "ListRecoveryPointsByBackupVault")
def list_recovery_points(call: Call) -> Mapping[str, Any]:
    _vault(call)
    given = call.parameters
    wanted = {"ResourceArn": given.get("ByResourceArn"), "ResourceType": given.get("ByResourceType")}
    found = [
        point
        for point in _points(call, given["BackupVaultName"]).values()
        if all(value in (None, point[name]) for name, value in wanted.items())
    ]
    return {"RecoveryPoints": found}


@operation(SERVICE, "DeleteRecoveryPoint")
def delete_recovery_point(call: Call) -> Mapping[str, Any]:
    vault, arn = _vault(call), call.parameters["RecoveryPointArn"]
    if arn not in _points(call, call.parameters["BackupVaultName"]):
        raise api_error("backup.no_recovery_point", point=arn)
    if _is_locked(vault):
        raise api_error("backup.locked_recovery_point", point=arn)
    del call.table("recovery-points")[arn]
    vault[POINTS] -= 1
    return {}


@guard(SERVICE, "DeleteBackupVault")
def require_empty_vault(call: Call) -> None:
    if _points(call, call.parameters["BackupVaultName"]):
        raise api_error("backup.vault_not_empty")


def _vault(call: Call) -> dict[str, Any]:
    table: Table = next(each for each in tables() if each.type_name == VAULT)
    return table.row(call)


def _is_locked(vault: Mapping[str, Any]) -> bool:
    return vault.get("MinRetentionDays") is not None or vault.get("MaxRetentionDays") is not None


def _points(call: Call, vault_name: str) -> dict[str, Any]:
    rows = call.table("recovery-points")
    return {arn: point for arn, point in rows.items() if point["BackupVaultName"] == vault_name}


def _kind(arn: str) -> str:
    _, _, service, _, _, resource = arn.split(":", 5)
    return KINDS.get((service, resource.rpartition("/")[0]), "")


def _new_point(call: Call, job: Mapping[str, Any]) -> dict[str, str]:
    vault = _vault(call)
    identity = f"arn:{partition_of(call.region)}:backup:{call.region}:{call.account}:recovery-point:{uuid.uuid4()}"
    shared = ("BackupVaultName", "ResourceArn", "ResourceType", "IamRoleArn", "CreationDate", "CompletionDate")
    call.table("recovery-points")[identity] = {
        **{name: job[name] for name in shared},
        "RecoveryPointArn": identity,
        "Status": "COMPLETED",
        "Lifecycle": call.parameters.get("Lifecycle", {}),
        "IsEncrypted": True,
        "EncryptionKeyArn": vault.get("EncryptionKeyArn", ""),
    }
    vault[POINTS] += 1
    return {"RecoveryPointArn": identity}


def _fault(call: Call, vault: Mapping[str, Any]) -> str:
    """Why the job fails; empty where it does not.

    Source: inferred: the words; the constraints: https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html
    and https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html
    """
    days = call.parameters.get("Lifecycle", {}).get("DeleteAfterDays")
    least, most = vault.get("MinRetentionDays"), vault.get("MaxRetentionDays")
    if (least is not None and days is not None and days < least) or (most is not None and (days or most + 1) > most):
        return "The retention of the recovery point is outside of the lock of the backup vault."
    arn = call.parameters["ResourceArn"]
    if _kind(arn) != "FSx":
        return ""
    fsx, system = call.client("fsx"), arn.rpartition("/")[2]
    lustre = fsx.describe_file_systems(FileSystemIds=[system])["FileSystems"][0].get("LustreConfiguration", {})
    linked = fsx.describe_data_repository_associations(Filters=[{"Name": "file-system-id", "Values": [system]}])
    if linked["Associations"] or str(lustre.get("DeploymentType")).startswith("SCRATCH"):
        return "Backups are not supported for scratch file systems and for those that are linked to S3."
    return ""
