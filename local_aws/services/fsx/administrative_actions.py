"""Updates of capacity, throughput and metadata IOPS: recorded as administrative actions, some hours apart."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit
from local_aws.services.fsx.tables import Row, now

APART = "lustre_update_interval"
CAPACITY = "StorageCapacity"
OF_LUSTRE = ("PerUnitStorageThroughput", "MetadataConfiguration")


def changed_values(row: Row, wanted: Row) -> Row:
    """What an update changes of these members, as FSx lists it among the target values."""
    lustre, before = wanted.get("LustreConfiguration", {}), row["LustreConfiguration"]
    changed = {name: lustre[name] for name in OF_LUSTRE if lustre.get(name) != before.get(name)}
    found: Row = {"LustreConfiguration": changed} if changed else {}
    if wanted.get(CAPACITY) != row.get(CAPACITY):
        found[CAPACITY] = wanted[CAPACITY]
    return found


def require_distance(row: Row, changed: Row) -> None:
    """Raises ServiceError for a member that was updated a short time ago; updates of different members may follow."""
    interval = timedelta(hours=limit(APART).require_minimum())
    for name in _names(changed):
        for action in row.get("AdministrativeActions", []):
            if name in _names(action.get("TargetFileSystemValues", {})) and now() < action["RequestTime"] + interval:
                last = f"{action['RequestTime']:%Y-%m-%dT%H:%M:%SZ}"
                hours = limit(APART).require_minimum()
                raise api_error("fsx.updated_before", name=name, hours=hours, last=last)


def record(row: Row, changed: Row) -> None:
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
