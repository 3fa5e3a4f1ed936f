"""Data repository associations as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.handlers.shapes import call_as_properties
from neuron_cluster.local_checks.rule_input import RuleInput, existing, request_reader

FILE_SYSTEM = "AWS::FSx::FileSystem"
ASSOCIATION = "AWS::FSx::DataRepositoryAssociation"


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
