"""File systems and their links to buckets as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.enforcement.subject import Subject, as_properties, existing, reading
from local_aws.service import Call

FILE_SYSTEM = "AWS::FSx::FileSystem"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"
NOT_NAMED = {"Fn::ImportValue": "FSx"}
"""A value that a template does not tell."""


@reading("fsx", "CreateFileSystem")
def new_file_system(call: Call) -> Iterator[Subject]:
    """FSx takes a Lustre version of its own when none is named; which one is not for the rules to judge."""
    properties = {"FileSystemTypeVersion": NOT_NAMED, **as_properties(call)}
    yield Subject("fsx:CreateFileSystem", FILE_SYSTEM, properties)


@reading("fsx", "UpdateFileSystem")
def changed_file_system(call: Call) -> Iterator[Subject]:
    """The file system as it would be after the update; that there is none, FSx says itself."""
    row = call.table("file_systems").get(call.parameters["FileSystemId"])
    if row is not None:
        given = as_properties(call)
        lustre = {**row.get("LustreConfiguration", {}), **given.get("LustreConfiguration", {})}
        yield Subject("fsx:CreateFileSystem", FILE_SYSTEM, {**row, **given, "LustreConfiguration": lustre})


@reading("fsx", "CreateDataRepositoryAssociation")
def association(call: Call) -> Iterator[Subject]:
    row = call.table("file_systems").get(call.parameters["FileSystemId"])
    if row is not None:
        beside = {"FileSystem": existing(FILE_SYSTEM, {"LustreConfiguration": _lustre(row)})}
        properties = {**as_properties(call), "FileSystemId": {"Ref": "FileSystem"}}
        yield Subject("fsx:CreateDataRepositoryAssociation", ASSOCIATION, properties, beside)


def _lustre(row: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration, with the paths that FSx tells in a structure of their own."""
    lustre: dict[str, Any] = dict(row["LustreConfiguration"])
    return {**lustre, **lustre.get("DataRepositoryConfiguration", {})}
