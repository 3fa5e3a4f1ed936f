"""File systems and their links to buckets as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.handlers.shapes import call_as_properties
from local_aws.service import Call
from neuron_cluster.local_checks.rule_input import RuleInput, existing, request_reader

FILE_SYSTEM = "AWS::FSx::FileSystem"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"
NOT_NAMED = {"Fn::ImportValue": "FSx"}
"""A value that a template does not have."""


@request_reader("fsx", "CreateFileSystem")
def new_file_system(call: Call) -> Iterator[RuleInput]:
    """FSx takes a Lustre version of its own when none is named; no rule checks which one."""
    properties = {"FileSystemTypeVersion": NOT_NAMED, **call_as_properties(call)}
    yield RuleInput("fsx:CreateFileSystem", FILE_SYSTEM, properties)


@request_reader("fsx", "UpdateFileSystem")
def changed_file_system(call: Call) -> Iterator[RuleInput]:
    """The file system as it would be after the update; FSx itself rejects one that does not exist."""
    row = call.table("file_systems").get(call.parameters["FileSystemId"])
    if row is not None:
        given = call_as_properties(call)
        lustre = {**row.get("LustreConfiguration", {}), **given.get("LustreConfiguration", {})}
        yield RuleInput("fsx:CreateFileSystem", FILE_SYSTEM, {**row, **given, "LustreConfiguration": lustre})


@request_reader("fsx", "CreateDataRepositoryAssociation")
def association(call: Call) -> Iterator[RuleInput]:
    row = call.table("file_systems").get(call.parameters["FileSystemId"])
    if row is not None:
        related = {"FileSystem": existing(FILE_SYSTEM, {"LustreConfiguration": _lustre(row)})}
        properties = {**call_as_properties(call), "FileSystemId": {"Ref": "FileSystem"}}
        yield RuleInput("fsx:CreateDataRepositoryAssociation", ASSOCIATION, properties, related)


def _lustre(row: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration, with the paths that FSx returns in a structure of their own."""
    lustre: dict[str, Any] = dict(row["LustreConfiguration"])
    return {**lustre, **lustre.get("DataRepositoryConfiguration", {})}
