"""Rules on each deployment type of Lustre: capacity, throughput, versions, metadata, EFA and backups.

File systems of the storage class Intelligent-Tiering have a throughput instead of a capacity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge, limit
from local_aws.knowledge.rows import LustreDeployment

IMPORT_MEMBERS = ("ImportPath", "ExportPath", "ImportedFileChunkSize", "AutoImportPolicy")
USER_PROVISIONED = "USER_PROVISIONED"


def deployment_of(lustre: Mapping[str, Any]) -> LustreDeployment:
    """The deployment type that a configuration names; the catalog knows those on SSD but SCRATCH_1."""
    name = lustre.get("DeploymentType", "SCRATCH_1")
    row = knowledge().lustre_deployments.get(name)
    if row is None:
        raise api_error("fsx.deployment_type", name=name, names=", ".join(knowledge().lustre_deployments))
    return row


def version_of(deployment: LustreDeployment, wanted: str | None, *, with_metadata: bool) -> str:
    """The Lustre version. FSx takes the oldest that the type has, the newest with a metadata configuration."""
    newest = max(deployment.versions, key=version_number)
    if wanted is not None and wanted not in deployment.versions:
        raise api_error("fsx.version_of_deployment", wanted=wanted, deployment=deployment.name)
    if wanted is None:
        return newest if with_metadata else min(deployment.versions, key=version_number)
    if with_metadata and wanted != newest:
        raise api_error("fsx.version_unsupported", wanted=wanted, deployment=deployment.name)
    return wanted


def version_number(version: str) -> tuple[int, ...]:
    """(2, 15) for ``2.15``."""
    return tuple(int(part) for part in version.split("."))


def require_capacity(deployment: LustreDeployment, capacity_gib: int) -> None:
    if not deployment.allows_capacity(capacity_gib):
        raise api_error(
            "fsx.capacity",
            capacity=capacity_gib,
            smallest=min(deployment.first_capacities_gib),
            step=deployment.capacity_step_gib,
        )


def require_throughput(deployment: LustreDeployment, throughput: int | None) -> None:
    """One of the tiers; a type without tiers takes none."""
    tiers = deployment.throughput_tiers
    if throughput not in tiers if tiers else throughput is not None:
        raise api_error("fsx.throughput")


def require_metadata(deployment: LustreDeployment, metadata: Mapping[str, Any]) -> None:
    """Metadata IOPS are user-provisioned, or FSx's own affair."""
    if not deployment.metadata_iops:
        raise api_error("fsx.metadata_unsupported", deployment=deployment.name)
    iops = metadata.get("Iops")
    if iops is None:
        return
    if metadata["Mode"] != USER_PROVISIONED:
        raise api_error("fsx.metadata_iops_of_mode", mode=metadata["Mode"])
    if not deployment.allows_metadata_iops(iops):
        raise api_error("fsx.metadata_iops", iops=iops, deployment=deployment.name)


def require_efa(deployment: LustreDeployment, lustre: Mapping[str, Any], capacity_gib: int) -> None:
    """EFA asks for a metadata configuration and for larger steps of capacity, which Intelligent-Tiering has not."""
    if not lustre.get("EfaEnabled"):
        return
    if "ThroughputCapacity" in lustre:
        return
    step = deployment.efa_capacity_step_gib.get(lustre["PerUnitStorageThroughput"])
    if step is None or "MetadataConfiguration" not in lustre:
        raise api_error("fsx.efa_unsupported")
    if capacity_gib % step:
        raise api_error("fsx.efa_capacity", capacity_gib=capacity_gib, step=step)


def require_linkable(deployment: LustreDeployment, lustre: Mapping[str, Any]) -> None:
    """PERSISTENT_2 is linked to buckets by associations alone; on this local AWS every type is."""
    given = [member for member in IMPORT_MEMBERS if member in lustre]
    if given:
        kind = deployment.name.replace("_", " ").title()
        raise api_error("fsx.linked_at_creation", kind=kind)


def require_key_allowed(deployment: LustreDeployment, key: str | None) -> None:
    if key is not None and not deployment.durable:
        raise api_error("fsx.key_unsupported", deployment=deployment.name)


def require_backups_allowed(deployment: LustreDeployment, lustre: Mapping[str, Any]) -> None:
    if lustre.get("AutomaticBackupRetentionDays") and not deployment.durable:
        raise api_error("fsx.backups_unsupported", deployment=deployment.name)


INTELLIGENT_TIERING = "INTELLIGENT_TIERING"
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
