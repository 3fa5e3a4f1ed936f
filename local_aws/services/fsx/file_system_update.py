"""UpdateFileSystem: what FSx for Lustre changes in place.

Updates of capacity, throughput and metadata IOPS are recorded as administrative actions, some hours apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.knowledge.rows import LustreDeployment
from local_aws.registry import operation
from local_aws.services.client_tokens import once_by_token
from local_aws.services.fsx.lustre_rules import (
    USER_PROVISIONED,
    deployment_of,
    is_tiering,
    require_backups_allowed,
    require_capacity,
    require_efa,
    require_metadata,
    require_throughput,
    require_tiering,
    version_number,
    version_of,
)
from local_aws.services.fsx.tables import Row, associations_of, find_file_system, now

AS_GIVEN = (
    "WeeklyMaintenanceStartTime",
    "DailyAutomaticBackupStartTime",
    "AutomaticBackupRetentionDays",
    "DataCompressionType",
    "LogConfiguration",
    "RootSquashConfiguration",
)


@operation("fsx", "UpdateFileSystem")
@once_by_token
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
    changed = _changed_values(row, wanted)
    _require_distance(row, changed)
    row.update(wanted)
    _record(row, changed)
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


APART = "lustre_update_interval"
CAPACITY = "StorageCapacity"
OF_LUSTRE = ("PerUnitStorageThroughput", "MetadataConfiguration")


def _changed_values(row: Row, wanted: Row) -> Row:
    """Returns the members that an update changes, as FSx lists them among the target values."""
    lustre, before = wanted.get("LustreConfiguration", {}), row["LustreConfiguration"]
    changed = {name: lustre[name] for name in OF_LUSTRE if lustre.get(name) != before.get(name)}
    found: Row = {"LustreConfiguration": changed} if changed else {}
    if wanted.get(CAPACITY) != row.get(CAPACITY):
        found[CAPACITY] = wanted[CAPACITY]
    return found


def _require_distance(row: Row, changed: Row) -> None:
    """Raises ServiceError for a member that was updated a short time ago; updates of different members may follow."""
    interval = timedelta(hours=limit(APART).require_minimum())
    for name in _names(changed):
        for action in row.get("AdministrativeActions", []):
            if name in _names(action.get("TargetFileSystemValues", {})) and now() < action["RequestTime"] + interval:
                last = f"{action['RequestTime']:%Y-%m-%dT%H:%M:%SZ}"
                hours = limit(APART).require_minimum()
                raise api_error("fsx.updated_before", name=name, hours=hours, last=last)


def _record(row: Row, changed: Row) -> None:
    """The update, completed at once; after more capacity the distribution of the files, too."""
    if not changed:
        return
    requested: Row = {"Status": "COMPLETED", "RequestTime": now()}
    actions = [{"AdministrativeActionType": "FILE_SYSTEM_UPDATE", **requested, "TargetFileSystemValues": changed}]
    if CAPACITY in changed:
        actions.append({"AdministrativeActionType": "STORAGE_OPTIMIZATION", **requested, "ProgressPercent": 100})
    row["AdministrativeActions"] = [*actions, *row.get("AdministrativeActions", [])]


def _names(values: Mapping[str, Any]) -> set[str]:
    return {name for name in (CAPACITY,) if name in values} | set(values.get("LustreConfiguration", {}))
