"""File systems of S3 Files, their mount targets and access points."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def s3_file_system_id(target: Target, file_system_arn: str) -> str | None:
    """The id of a file system, which its ARN ends with; None when it is deleted."""
    s3files, identity = client(target, "s3files"), file_system_arn.rpartition("/")[2]
    with translated():
        try:
            s3files.get_file_system(fileSystemId=identity)
        except s3files.exceptions.ResourceNotFoundException:
            return None
    return identity


def mount_targets(target: Target, file_system_id: str) -> list[str]:
    """Ids of the mount targets; those on their way out are among them."""
    with translated():
        pages = client(target, "s3files").get_paginator("list_mount_targets").paginate(fileSystemId=file_system_id)
        return [str(each["mountTargetId"]) for page in pages for each in page["mountTargets"]]


def delete_mount_target(target: Target, mount_target_id: str) -> None:
    """Starts the deletion of a mount target; one that is gone is skipped."""
    s3files = client(target, "s3files")
    with translated():
        try:
            s3files.delete_mount_target(mountTargetId=mount_target_id)
        except s3files.exceptions.ResourceNotFoundException:
            return


def access_points(target: Target, file_system_id: str) -> list[str]:
    """Ids of the access points; those on their way out are among them."""
    with translated():
        pages = client(target, "s3files").get_paginator("list_access_points").paginate(fileSystemId=file_system_id)
        return [str(each["accessPointId"]) for page in pages for each in page["accessPoints"]]


def delete_access_point(target: Target, access_point_id: str) -> None:
    """Starts the deletion of an access point; one that is gone is skipped."""
    s3files = client(target, "s3files")
    with translated():
        try:
            s3files.delete_access_point(accessPointId=access_point_id)
        except s3files.exceptions.ResourceNotFoundException:
            return


def delete_file_system(target: Target, file_system_id: str) -> None:
    """Starts the deletion of a file system without mount targets and access points; the objects of the bucket stay."""
    with translated():
        client(target, "s3files").delete_file_system(fileSystemId=file_system_id)
