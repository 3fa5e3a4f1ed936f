"""Data repository associations: a directory of a Lustre file system linked to a bucket or a prefix of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.client_tokens import once_by_token
from local_aws.services.fsx.lustre_rules import deployment_of, is_tiering
from local_aws.services.fsx.tables import (
    Row,
    associations,
    associations_of,
    find_association,
    find_file_system,
    fsx_arn,
    new_fsx_id,
    now,
)
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

S3_PREFIX = "s3://"
CHUNK_SIZE_MIB = 1024


@operation("fsx", "CreateDataRepositoryAssociation")
@once_by_token
def create_data_repository_association(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    file_system = find_file_system(call, given["FileSystemId"])
    _require_linkable(file_system)
    _require_free_paths(call)
    _require_bucket(call)
    association_id = new_fsx_id("dra")
    row = {
        "AssociationId": association_id,
        "ResourceARN": fsx_arn(call, "association", file_system["FileSystemId"], association_id),
        "FileSystemId": file_system["FileSystemId"],
        "Lifecycle": "AVAILABLE",
        "FileSystemPath": given["FileSystemPath"],
        "DataRepositoryPath": given["DataRepositoryPath"],
        "BatchImportMetaDataOnCreate": given.get("BatchImportMetaDataOnCreate", False),
        "ImportedFileChunkSize": given.get("ImportedFileChunkSize", CHUNK_SIZE_MIB),
        "S3": given.get("S3", {}),
        "Tags": list(given.get("Tags", [])),
        "CreationTime": now(),
    }
    associations(call)[association_id] = row
    return {"Association": row}


@operation("fsx", "DescribeDataRepositoryAssociations")
def describe_data_repository_associations(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    wanted = given.get("AssociationIds") or list(associations(call))
    rows = [find_association(call, association_id) for association_id in wanted]
    for each in given.get("Filters", []):
        of_kind = each["Name"] == "data-repository-type"
        rows = [row for row in rows if ("S3" if of_kind else row["FileSystemId"]) in each["Values"]]
    return listing(call, "Associations", rows)


@operation("fsx", "UpdateDataRepositoryAssociation")
def update_data_repository_association(call: Call) -> Mapping[str, Any]:
    """A policy that the request does not name stays; an empty list of events turns one off."""
    row = find_association(call, call.parameters["AssociationId"])
    if "S3" in call.parameters:
        row["S3"] = {**row["S3"], **call.parameters["S3"]}
    if "ImportedFileChunkSize" in call.parameters:
        row["ImportedFileChunkSize"] = call.parameters["ImportedFileChunkSize"]
    return {"Association": row}


@operation("fsx", "DeleteDataRepositoryAssociation")
def delete_data_repository_association(call: Call) -> Mapping[str, Any]:
    row = find_association(call, call.parameters["AssociationId"])
    del associations(call)[row["AssociationId"]]
    return {
        "AssociationId": row["AssociationId"],
        "Lifecycle": "DELETING",
        "DeleteDataInFileSystem": call.parameters.get("DeleteDataInFileSystem", False),
    }


def _require_linkable(file_system: Row) -> None:
    """The deployment type and the version take associations, and no backups are on."""
    if is_tiering(file_system):
        raise api_error("fsx.tiering_associations")
    lustre = file_system["LustreConfiguration"]
    deployment = deployment_of(lustre)
    too_old = file_system["FileSystemTypeVersion"] in seed_data("fsx")["lustre_versions_without_associations"]
    if not deployment.data_repository_association or too_old:
        raise api_error(
            "fsx.associations_unsupported",
            deployment=deployment.name,
            file_system_type_version=file_system["FileSystemTypeVersion"],
        )
    if lustre.get("AutomaticBackupRetentionDays"):
        raise api_error("fsx.backups_of_linked")


def _require_free_paths(call: Call) -> None:
    """Neither directories nor prefixes of two associations of one file system may overlap; eight at most."""
    given = call.parameters
    others = associations_of(call, given["FileSystemId"])
    file_system = find_file_system(call, given["FileSystemId"])
    maximum = deployment_of(file_system["LustreConfiguration"]).most_data_repository_associations
    if len(others) >= maximum:
        raise api_error("fsx.associations_exceeded", maximum=maximum)
    for member in ("FileSystemPath", "DataRepositoryPath"):
        for other in others:
            if _overlap(other[member], given[member]):
                raise api_error(
                    "fsx.association_overlap",
                    member=member,
                    path=given[member],
                    other=other[member],
                    association_id=other["AssociationId"],
                )


def _overlap(first: str, second: str) -> bool:
    one, two = (path.rstrip("/") + "/" for path in (first, second))
    return one.startswith(two) or two.startswith(one)


def _require_bucket(call: Call) -> None:
    path = call.parameters["DataRepositoryPath"]
    try:
        call.client("s3").head_bucket(Bucket=path.removeprefix(S3_PREFIX).split("/")[0])
    except ClientError as error:
        raise api_error("fsx.bucket_access") from error
