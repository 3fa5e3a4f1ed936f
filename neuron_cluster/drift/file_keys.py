"""The key of the environment file that a property comes from, and its value for what a service returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.config.loader import LoadedEnvironment
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.drift.deployed_values import DeployedResources
from neuron_cluster.drift.records import Drift, DriftKind, EnvironmentDrift, FileEditHint
from neuron_cluster.protocol.resource_kind import FileKey, value_of

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
BUDGET, COUNTED = "Budget/BudgetLimit/Amount", "Budget/CostFilters/TagKeyValue/0"
BUDGETS = (
    FileKey(BUDGET, ("budget", "usd_month"), of=(COUNTED, r"user:neuron-cluster:environment\$.*")),
    FileKey(BUDGET, ("teams", "[]", "budget", "usd_month"), of=(COUNTED, r"user:neuron-cluster:team\$(.*)")),
)
SECONDS = {"count": 1, "percent": 1, "minutes": 60}
"""The unit of a metric in that of its key; other thresholds depend on the size of what is measured, too."""
MEMBER = "*"


def core_keys(catalog: Catalog) -> Mapping[str, tuple[FileKey, ...]]:
    """Keys of resources of the core, with those of alarms, which the catalog names."""
    alarms = tuple(
        FileKey(
            "Threshold",
            ("observability", "alarms", row.name),
            divisor=SECONDS[row.measured_in],
            of=("AlarmName", f".*-{row.name.replace('_', '-')}"),
        )
        for row in catalog.neuron_alarms
        if row.measured_in in SECONDS
    )
    return {**CORE_KEYS, "AWS::CloudWatch::Alarm": alarms, "AWS::Budgets::Budget": BUDGETS}


class _Key(Struct, frozen=True):
    """One key of the file with the item of a list that it is in."""

    path: KeyPath
    written: str


def with_edits(found: EnvironmentDrift, resources: DeployedResources, loaded: LoadedEnvironment) -> EnvironmentDrift:
    """Each difference of a property that one key of the file decides, with the edit of that key."""
    return replace(found, drifts=tuple(replace(each, edit=_edit(each, resources, loaded)) for each in found.drifts))


def _edit(drift: Drift, resources: DeployedResources, loaded: LoadedEnvironment) -> FileEditHint | None:
    if drift.kind is not DriftKind.CHANGED:
        return None
    address = Address(drift.stack, drift.logical_id)
    properties = resources.properties(address)
    place = drift.place
    kind = registered_resource_kinds().get(drift.type)
    for file_key in (*core_keys(resources.catalog).get(drift.type, ()), *(kind.file_keys if kind is not None else ())):
        if not file_key.matches(place, properties):
            continue
        name = kind.item_name(properties, drift.logical_id) if kind is not None and kind.is_item else ""
        key = _key(loaded.tree, (*_path(file_key, place),), name or file_key.item_name(properties) or "")
        if key is None:
            return None
        before = _at(loaded.tree, key.path)
        if file_key.items is not None:
            return _list_edit(file_key, key, before, properties, resources.actual(address, place[0]))
        return _scalar_edit(file_key, key, before, drift)
    return None


def _scalar_edit(file_key: FileKey, key: _Key, before: Any, drift: Drift) -> FileEditHint | None:
    """None for a value that no value of the file gives: one that the toolkit adds, or a part of its unit."""
    is_member = file_key.path[-1] == MEMBER
    if is_member and drift.template is not None and before is None:
        return None
    if drift.actual is None:
        return FileEditHint(key.path, key.written, before, None) if is_member else None
    after = file_key.value(drift.actual)
    if not isinstance(after, str | int | bool):
        return None
    return FileEditHint(key.path, key.written, before, after)


def _list_edit(
    file_key: FileKey, key: _Key, before: Any, properties: Mapping[str, Any], actual: Any
) -> FileEditHint | None:
    steps = file_key.steps()
    lists = (value_of(properties, steps), value_of({steps[0]: actual}, steps))
    after = file_key.items(*(each or [] for each in lists)) if file_key.items is not None else None
    if after is None:
        return None
    return FileEditHint(key.path, key.written, before, list(after) or None)


def _path(file_key: FileKey, place: tuple[str, ...]) -> tuple[str, ...]:
    """The path with the member of a mapping that the place is in."""
    return (*file_key.path[:-1], place[-1]) if file_key.path[-1] == MEMBER else file_key.path


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
