"""The key of the environment file that a property comes from, and its value for what a service returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.config.loader import LoadedEnvironment
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.drift.deployed_values import DeployedResources
from neuron_cluster.drift.records import Drift, DriftKind, EnvironmentDrift, FileEditHint
from neuron_cluster.protocol.resource_kind import FileKey

LUSTRE = ("storage", "lustre")
BUCKET = ("storage", "checkpoint_bucket")
CORE_KEYS: Mapping[str, tuple[FileKey, ...]] = {
    "AWS::FSx::FileSystem": (
        FileKey("StorageCapacity", (*LUSTRE, "capacity_gib")),
        FileKey("LustreConfiguration/PerUnitStorageThroughput", (*LUSTRE, "throughput_mbps_per_tib")),
        FileKey("LustreConfiguration/ThroughputCapacity", (*LUSTRE, "throughput_mbps")),
        FileKey("LustreConfiguration/MetadataConfiguration/Iops", (*LUSTRE, "metadata_iops")),
        FileKey("LustreConfiguration/WeeklyMaintenanceStartTime", (*LUSTRE, "maintenance_window")),
        FileKey("LustreConfiguration/DataCompressionType", (*LUSTRE, "data_compression"), is_lower_case=True),
    ),
    "AWS::S3::Bucket": (
        FileKey(
            "LifecycleConfiguration/Rules/*/NoncurrentVersionExpiration/NoncurrentDays",
            (*BUCKET, "noncurrent_version_days"),
            item_id="expire-old-versions",
        ),
        FileKey(
            "LifecycleConfiguration/Rules/*/AbortIncompleteMultipartUpload/DaysAfterInitiation",
            (*BUCKET, "abort_incomplete_upload_days"),
            item_id="expire-old-versions",
        ),
    ),
    "AWS::EFS::FileSystem": (FileKey("ThroughputMode", ("storage", "efs", "throughput"), is_lower_case=True),),
}
"""Keys of resources of the core by type; those of providers are in their resource kinds."""


class _Key(Struct, frozen=True):
    """One key of the file with the item of a list that it is in."""

    path: KeyPath
    written: str


def with_edits(found: EnvironmentDrift, resources: DeployedResources, loaded: LoadedEnvironment) -> EnvironmentDrift:
    """Each difference of a property that one key of the file decides, with the edit of that key."""
    return replace(found, drifts=tuple(replace(each, edit=_edit(each, resources, loaded)) for each in found.drifts))


def _edit(drift: Drift, resources: DeployedResources, loaded: LoadedEnvironment) -> FileEditHint | None:
    if drift.kind is not DriftKind.CHANGED or not isinstance(drift.actual, str | int | float | bool):
        return None
    properties = resources.properties(Address(drift.stack, drift.logical_id))
    place = tuple(drift.property.strip("/").split("/"))
    kind = registered_resource_kinds().get(drift.type)
    for file_key in (*CORE_KEYS.get(drift.type, ()), *(kind.file_keys if kind is not None else ())):
        if not file_key.matches(place, properties):
            continue
        name = kind.item_name(properties, drift.logical_id) if kind is not None and kind.is_item else ""
        key = _key(loaded.tree, file_key.path, name)
        if key is None:
            return None
        after = file_key.value(drift.actual)
        return FileEditHint(key.path, key.written, _at(loaded.tree, key.path), after)
    return None


def _key(data: Any, path: tuple[str, ...], name: str) -> _Key | None:
    """``[]`` in a path stands for the item of that name; None where the file has no such item."""
    found: list[str | int] = []
    written = ""
    for step in path:
        if step != "[]":
            found.append(step)
            written += f".{step}" if written else step
            continue
        items = _at(data, tuple(found))
        names = [item.get("name") for item in items] if isinstance(items, list) else []
        if name not in names:
            return None
        found.append(names.index(name))
        written += f"[{name}]"
    return _Key(tuple(found), written)


def _at(data: Any, path: KeyPath) -> Any:
    """The value that the file has; None where a default applies."""
    for step in path:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int):
            data = data[step]
        else:
            return None
    return data
