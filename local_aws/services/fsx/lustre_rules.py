"""What a Lustre file system may ask for beyond the rules: versions, metadata, EFA and backups by deployment type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.knowledge.current import knowledge, lustre_deployment
from local_aws.knowledge.rows import LustreDeployment
from local_aws.services.fsx.refusals import bad_request

IMPORT_MEMBERS = ("ImportPath", "ExportPath", "ImportedFileChunkSize", "AutoImportPolicy")
USER_PROVISIONED = "USER_PROVISIONED"


def deployment_of(lustre: Mapping[str, Any]) -> LustreDeployment:
    """The deployment type that a configuration names; the catalog knows those on SSD but SCRATCH_1."""
    name = lustre.get("DeploymentType", "SCRATCH_1")
    row = lustre_deployment(name)
    if row is None:
        raise bad_request(
            f"This local AWS does not make the Lustre deployment type {name}; "
            f"it makes {', '.join(knowledge().lustre_deployments)}."
        )
    return row


def version_of(deployment: LustreDeployment, wanted: str | None, *, with_metadata: bool) -> str:
    """The Lustre version. FSx takes the oldest that the type has, the newest with a metadata configuration."""
    newest = max(deployment.versions, key=version_number)
    if wanted is None:
        return newest if with_metadata else min(deployment.versions, key=version_number)
    if with_metadata and wanted != newest:
        raise bad_request(
            f"FileSystemTypeVersion {wanted} is not supported for {deployment.name} file systems with a metadata "
            "configuration."
        )
    return wanted


def version_number(version: str) -> tuple[int, ...]:
    """(2, 15) for ``2.15``."""
    return tuple(int(part) for part in version.split("."))


def require_metadata(deployment: LustreDeployment, metadata: Mapping[str, Any]) -> None:
    """Metadata IOPS are user-provisioned, or FSx's own affair."""
    if not deployment.metadata_iops:
        raise bad_request(f"MetadataConfiguration is not supported for {deployment.name} file systems.")
    iops = metadata.get("Iops")
    if iops is None:
        return
    if metadata["Mode"] != USER_PROVISIONED:
        raise bad_request(f"Metadata Iops cannot be specified with the metadata configuration mode {metadata['Mode']}.")
    if not deployment.allows_metadata_iops(iops):
        raise bad_request(f"Metadata Iops {iops} is not valid for {deployment.name} file systems.")


def require_efa(deployment: LustreDeployment, lustre: Mapping[str, Any], capacity_gib: int) -> None:
    """EFA asks for a metadata configuration and for larger steps of capacity.

    Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html
    """
    if not lustre.get("EfaEnabled"):
        return
    step = deployment.efa_capacity_step_gib.get(lustre["PerUnitStorageThroughput"])
    if step is None or "MetadataConfiguration" not in lustre:
        raise bad_request("EFA is only supported for PERSISTENT_2 file systems with a metadata configuration.")
    if capacity_gib % step:
        raise bad_request(
            f"Invalid Lustre FS storage capacity: {capacity_gib}. "
            f"Must be a multiple of {step} for an EFA-enabled file system of this throughput."
        )


def require_linkable(deployment: LustreDeployment, lustre: Mapping[str, Any]) -> None:
    """PERSISTENT_2 is linked to buckets by associations alone; on this local AWS every type is."""
    given = [member for member in IMPORT_MEMBERS if member in lustre]
    if given:
        kind = deployment.name.replace("_", " ").title()
        raise bad_request(
            f"Linking a {kind} file system to an S3 bucket using the LustreConfiguration is not supported. "
            "Create a file system and then create a data repository association to link S3 buckets to the file system."
        )


def require_key_allowed(deployment: LustreDeployment, key: str | None) -> None:
    if key is not None and not deployment.durable:
        raise bad_request(f"KmsKeyId is not supported for {deployment.name} file systems.")


def require_backups_allowed(deployment: LustreDeployment, lustre: Mapping[str, Any]) -> None:
    if lustre.get("AutomaticBackupRetentionDays") and not deployment.durable:
        # Source: https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html
        raise bad_request(f"Backups are not supported for {deployment.name} file systems.")
