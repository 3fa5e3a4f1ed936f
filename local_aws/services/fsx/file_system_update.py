"""UpdateFileSystem: what FSx for Lustre changes in place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.rows import LustreDeployment
from local_aws.service import Call, operation
from local_aws.services.fsx.administrative_actions import changed_values, record, require_distance
from local_aws.services.fsx.intelligent_tiering import is_tiering, require_tiering
from local_aws.services.fsx.lustre_rules import (
    USER_PROVISIONED,
    deployment_of,
    require_backups_allowed,
    require_capacity,
    require_efa,
    require_metadata,
    require_throughput,
    version_number,
    version_of,
)
from local_aws.services.fsx.tables import Row, associations_of, find_file_system

AS_GIVEN = (
    "WeeklyMaintenanceStartTime",
    "DailyAutomaticBackupStartTime",
    "AutomaticBackupRetentionDays",
    "DataCompressionType",
    "LogConfiguration",
    "RootSquashConfiguration",
)


@operation("fsx", "UpdateFileSystem")
def update_file_system(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    row = find_file_system(call, given["FileSystemId"])
    deployment = deployment_of(row["LustreConfiguration"])
    lustre = _lustre(call, row, deployment)
    wanted: Row = {"LustreConfiguration": lustre}
    if is_tiering(row):
        require_tiering({**row, **given}, lustre)
    else:
        wanted["StorageCapacity"] = row["StorageCapacity"]
        if "StorageCapacity" in given:
            wanted["StorageCapacity"] = _capacity(row, deployment, given["StorageCapacity"])
        require_efa(deployment, lustre, wanted["StorageCapacity"])
    if "FileSystemTypeVersion" in given:
        wanted["FileSystemTypeVersion"] = _version(row, deployment, given["FileSystemTypeVersion"])
    if "NetworkType" in given:
        wanted["NetworkType"] = given["NetworkType"]
    changed = changed_values(row, wanted)
    require_distance(row, changed)
    row.update(wanted)
    record(row, changed)
    return {"FileSystem": row}


def _capacity(row: Row, deployment: LustreDeployment, wanted: int) -> int:
    """Grows only."""
    require_capacity(deployment, wanted)
    if wanted <= row["StorageCapacity"]:
        raise api_error("fsx.capacity_not_greater", wanted=wanted, storage_capacity=row["StorageCapacity"])
    return wanted


def _version(row: Row, deployment: LustreDeployment, wanted: str) -> str:
    version_of(deployment, wanted, with_metadata="MetadataConfiguration" in row["LustreConfiguration"])
    if version_number(wanted) <= version_number(row["FileSystemTypeVersion"]):
        raise api_error("fsx.version_not_newer", wanted=wanted, file_system_type_version=row["FileSystemTypeVersion"])
    return wanted


def _lustre(call: Call, row: Row, deployment: LustreDeployment) -> Row:
    """The Lustre configuration after the update; refused as a whole before anything is changed."""
    given = call.parameters.get("LustreConfiguration", {})
    current = row["LustreConfiguration"]
    wanted = {**current, **{member: given[member] for member in AS_GIVEN if member in given}}
    require_backups_allowed(deployment, wanted)
    if wanted.get("AutomaticBackupRetentionDays") and associations_of(call, row["FileSystemId"]):
        raise api_error("fsx.backups_of_linked")
    if "PerUnitStorageThroughput" in given:
        if current["EfaEnabled"]:
            raise api_error("fsx.efa_throughput_fixed")
        require_throughput(deployment, given["PerUnitStorageThroughput"])
        wanted["PerUnitStorageThroughput"] = given["PerUnitStorageThroughput"]
    if "ThroughputCapacity" in given or "DataReadCacheConfiguration" in given:
        wanted |= _tiering(row, given)
    if "MetadataConfiguration" in given:
        wanted["MetadataConfiguration"] = _metadata(current, deployment, given["MetadataConfiguration"])
    return wanted


def _tiering(row: Row, given: Mapping[str, Any]) -> Row:
    """Throughput is raised alone; the cache has any size."""
    if not is_tiering(row):
        raise api_error("fsx.only_of_tiering")
    found = {name: given[name] for name in ("ThroughputCapacity", "DataReadCacheConfiguration") if name in given}
    before = row["LustreConfiguration"]["ThroughputCapacity"]
    if found.get("ThroughputCapacity", before) < before:
        raise api_error("fsx.tiering_throughput_lowered")
    return found


def _metadata(current: Row, deployment: LustreDeployment, given: Mapping[str, Any]) -> Row:
    if "MetadataConfiguration" not in current:
        raise api_error("fsx.metadata_only_at_creation")
    before = current["MetadataConfiguration"]
    wanted = {"Mode": before["Mode"], **given}
    if wanted["Mode"] == USER_PROVISIONED and "Iops" not in wanted and "Iops" in before:
        wanted["Iops"] = before["Iops"]
    if "ThroughputCapacity" not in current:  # with it the figures are others: require_tiering
        require_metadata(deployment, wanted)
    if wanted.get("Iops", 0) < before.get("Iops", 0) and wanted["Mode"] == USER_PROVISIONED:
        raise api_error("fsx.metadata_iops_decreased")
    return wanted
