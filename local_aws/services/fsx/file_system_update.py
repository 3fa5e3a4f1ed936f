"""UpdateFileSystem: what FSx for Lustre changes in place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.knowledge.rows import LustreDeployment
from local_aws.service import Call, operation
from local_aws.services.fsx.lustre_rules import (
    USER_PROVISIONED,
    deployment_of,
    require_backups_allowed,
    require_efa,
    require_metadata,
    version_number,
    version_of,
)
from local_aws.services.fsx.refusals import bad_request
from local_aws.services.fsx.tables import Row, associations_of, find_file_system

AS_GIVEN = (
    "WeeklyMaintenanceStartTime",
    "DailyAutomaticBackupStartTime",
    "AutomaticBackupRetentionDays",
    "DataCompressionType",
    "LogConfiguration",
    "RootSquashConfiguration",
)
NOT_ON_SSD = ("ThroughputCapacity", "DataReadCacheConfiguration")


@operation("fsx", "UpdateFileSystem")
def update_file_system(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    row = find_file_system(call, given["FileSystemId"])
    if given.get("StorageType", row["StorageType"]) != row["StorageType"]:
        raise bad_request("StorageType cannot be updated for Lustre file systems.")
    deployment = deployment_of(row["LustreConfiguration"])
    lustre = _lustre(call, row, deployment)
    wanted: Row = {"LustreConfiguration": lustre, "StorageCapacity": row["StorageCapacity"]}
    if "StorageCapacity" in given:
        wanted["StorageCapacity"] = _capacity(row, given["StorageCapacity"])
    require_efa(deployment, lustre, wanted["StorageCapacity"])
    if "FileSystemTypeVersion" in given:
        wanted["FileSystemTypeVersion"] = _version(row, deployment, given["FileSystemTypeVersion"])
    if "NetworkType" in given:
        wanted["NetworkType"] = given["NetworkType"]
    row.update(wanted)
    return {"FileSystem": row}


def _capacity(row: Row, wanted: int) -> int:
    """Grows only."""
    if wanted <= row["StorageCapacity"]:
        raise bad_request(
            f"Invalid Lustre FS storage capacity: {wanted}. "
            f"Must be greater than the current storage capacity {row['StorageCapacity']}."
        )
    return wanted


def _version(row: Row, deployment: LustreDeployment, wanted: str) -> str:
    version_of(deployment, wanted, with_metadata="MetadataConfiguration" in row["LustreConfiguration"])
    if version_number(wanted) <= version_number(row["FileSystemTypeVersion"]):
        # Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-lustre-version.html
        raise bad_request(
            f"FileSystemTypeVersion {wanted} must be newer than the current version {row['FileSystemTypeVersion']}."
        )
    return wanted


def _lustre(call: Call, row: Row, deployment: LustreDeployment) -> Row:
    """The Lustre configuration after the update; refused as a whole before anything is changed."""
    given = call.parameters.get("LustreConfiguration", {})
    current = row["LustreConfiguration"]
    unusable = [member for member in NOT_ON_SSD if member in given]
    if unusable or "AutoImportPolicy" in given:
        raise bad_request(f"{', '.join(unusable) or 'AutoImportPolicy'} is not supported for this file system.")
    wanted = {**current, **{member: given[member] for member in AS_GIVEN if member in given}}
    require_backups_allowed(deployment, wanted)
    if wanted.get("AutomaticBackupRetentionDays") and associations_of(call, row["FileSystemId"]):
        # Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html
        raise bad_request("Backups cannot be enabled on S3-linked file systems.")
    if "PerUnitStorageThroughput" in given:
        if current["EfaEnabled"]:
            # Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/managing-throughput-capacity.html
            raise bad_request("The throughput of an EFA-enabled file system cannot be updated.")
        wanted["PerUnitStorageThroughput"] = given["PerUnitStorageThroughput"]
    if "MetadataConfiguration" in given:
        wanted["MetadataConfiguration"] = _metadata(current, deployment, given["MetadataConfiguration"])
    return wanted


def _metadata(current: Row, deployment: LustreDeployment, given: Mapping[str, Any]) -> Row:
    if "MetadataConfiguration" not in current:
        raise bad_request("MetadataConfiguration can only be updated when the file system was created with one.")
    before = current["MetadataConfiguration"]
    wanted = {"Mode": before["Mode"], **given}
    if wanted["Mode"] == USER_PROVISIONED and "Iops" not in wanted and "Iops" in before:
        wanted["Iops"] = before["Iops"]
    require_metadata(deployment, wanted)
    if wanted.get("Iops", 0) < before.get("Iops", 0) and wanted["Mode"] == USER_PROVISIONED:
        raise bad_request("Metadata Iops can only be increased.")
    return wanted
