"""Data repository associations: a directory of a Lustre file system linked to a bucket or a prefix of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.services.fsx.lustre_rules import deployment_of, is_tiering
from local_aws.services.fsx.tables import Row, associations_of, find_file_system
from local_aws.services.seed_data import seed_data
from local_aws.services.table import made_by

S3_PREFIX = "s3://"


@made_by("AWS::FSx::DataRepositoryAssociation")
def judged(call: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Nothing more; raises ServiceError for what FSx cannot link."""
    _require_linkable(find_file_system(call, row["FileSystemId"]))
    _require_free_paths(call)
    _require_bucket(call)
    return {}


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
