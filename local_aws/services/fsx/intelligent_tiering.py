"""Lustre file systems of the storage class Intelligent-Tiering: throughput instead of a capacity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit

INTELLIGENT_TIERING = "INTELLIGENT_TIERING"
USER_PROVISIONED = "USER_PROVISIONED"
THROUGHPUT, METADATA_IOPS, CACHE = "lustre_tiering_throughput", "lustre_tiering_metadata_iops", "lustre_tiering_cache"
"""Limits of the catalog. Throughput and IOPS are multiples of their minimum; a cache is for each step of throughput."""


def is_tiering(given: Mapping[str, Any]) -> bool:
    return bool(given.get("StorageType") == INTELLIGENT_TIERING)


def require_tiering(given: Mapping[str, Any], lustre: Mapping[str, Any]) -> None:
    """``given`` is of CreateFileSystem, or the file system itself. Raises ServiceError."""
    if lustre.get("DeploymentType") != "PERSISTENT_2":
        raise api_error("fsx.tiering_deployment_type")
    if given.get("StorageCapacity") or "PerUnitStorageThroughput" in lustre:
        raise api_error("fsx.tiering_capacity")
    throughput = lustre.get("ThroughputCapacity", 0)
    if not _is_step(throughput, THROUGHPUT):
        raise api_error("fsx.tiering_throughput", step=limit(THROUGHPUT).require_minimum())
    metadata = lustre.get("MetadataConfiguration", {})
    if metadata.get("Mode") != USER_PROVISIONED or not _is_step(metadata.get("Iops", 0), METADATA_IOPS):
        raise api_error("fsx.tiering_metadata")
    _require_cache(lustre.get("DataReadCacheConfiguration"), throughput)


def _require_cache(cache: Mapping[str, Any] | None, throughput: int) -> None:
    if cache is None:
        raise api_error("fsx.tiering_without_cache")
    size, servers = cache.get("SizeGiB"), throughput // limit(THROUGHPUT).require_minimum()
    if cache.get("SizingMode") != USER_PROVISIONED:
        return
    per_server = limit(CACHE)
    smallest, largest = per_server.require_minimum() * servers, per_server.require_maximum() * servers
    if size is None or not smallest <= size <= largest:
        raise api_error("fsx.tiering_cache", smallest=smallest, largest=largest)


def _is_step(value: int, name: str) -> bool:
    row = limit(name)
    return row.require_minimum() <= value <= row.require_maximum() and value % row.require_minimum() == 0
