"""Metrics that FSx publishes: the free capacity of each Lustre file system, which holds what a test says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from local_aws.contract import Call, Store
from local_aws.registry import guard
from local_aws.services.fsx.tables import file_systems

NAMESPACE, FREE, DIMENSION = "AWS/FSx", "FreeDataStorageCapacity", "FileSystemId"
"""https://docs.aws.amazon.com/fsx/latest/LustreGuide/fs-metrics.html"""
GIB = 2**30
EVERY = timedelta(minutes=1)
FILE_SYSTEMS, USED = "fsx.file_systems", "fsx.used_gib"


def fill(store: Store, account: str, region: str, file_system_id: str, percent: float) -> None:
    """Sets how full a file system is now: no client writes into one here. It is less full when it has grown."""
    capacity = store.table(account, region, FILE_SYSTEMS)[file_system_id]["StorageCapacity"]
    store.table(account, region, USED)[file_system_id] = capacity * percent / 100


@guard("cloudwatch", "GetMetricData", "GetMetricStatistics", first=True)
def publish_free_capacity(call: Call) -> None:
    """Publishes the value of the last minute in the place of an earlier one of that minute."""
    backend = call.moto_backend("cloudwatch")
    minute = datetime.now(UTC).replace(second=0, microsecond=0, tzinfo=None) - EVERY
    used = call.store.table(call.account, call.region, USED)
    for identity, row in file_systems(replace(call, service="fsx")).items():
        capacity = row.get("StorageCapacity")
        if capacity is None:
            continue
        backend.metric_data[:] = [
            datum
            for datum in backend.metric_data
            if (datum.namespace, datum.name, datum.timestamp) != (NAMESPACE, FREE, minute)
            or all(each.value != identity for each in datum.dimensions)
        ]
        free = GIB * (capacity - used.get(identity, 0))
        dimensions = [{"Name": DIMENSION, "Value": identity}]
        value = {"MetricName": FREE, "Dimensions": dimensions, "Value": free, "Timestamp": minute}
        backend.put_metric_data(NAMESPACE, [value])
