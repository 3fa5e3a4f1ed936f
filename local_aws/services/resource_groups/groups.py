"""Members of resource groups, which moto does not keep; the groups themselves are moto's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.reservations import members, reservations

SERVICE = "resource-groups"


@operation(SERVICE, "GroupResources")
def group_resources(call: Call) -> Mapping[str, Any]:
    """Only capacity reservations are known here; what is not there is told as failed, as the API does."""
    inside = members(call, _arn(call))
    known = {row["CapacityReservationArn"] for row in reservations(call).values()}
    given = call.parameters["ResourceArns"]
    added = [arn for arn in given if arn in known]
    inside += [arn for arn in added if arn not in inside]
    failed = [_failed(arn, "Resource not found") for arn in given if arn not in known]
    return {"Succeeded": added, "Failed": failed, "Pending": []}


@operation(SERVICE, "UngroupResources")
def ungroup_resources(call: Call) -> Mapping[str, Any]:
    inside = members(call, _arn(call))
    given = call.parameters["ResourceArns"]
    gone = [arn for arn in given if arn in inside]
    inside[:] = [arn for arn in inside if arn not in gone]
    failed = [_failed(arn, "Resource is no member of the group") for arn in given if arn not in gone]
    return {"Succeeded": gone, "Failed": failed, "Pending": []}


@operation(SERVICE, "ListGroupResources")
def list_group_resources(call: Call) -> Mapping[str, Any]:
    found = [{"ResourceArn": arn, "ResourceType": "AWS::EC2::CapacityReservation"} for arn in members(call, _arn(call))]
    return {"ResourceIdentifiers": found, "Resources": [{"Identifier": each} for each in found], "QueryErrors": []}


def _failed(arn: str, message: str) -> dict[str, str]:
    return {"ResourceArn": arn, "ErrorCode": "NOT_FOUND", "ErrorMessage": message}


def _arn(call: Call) -> str:
    """The group that the request names by name or ARN."""
    named = call.parameters.get("Group") or call.parameters.get("GroupName")
    for group in call.moto_backend(SERVICE).list_groups().values():
        if named in (group.name, group.arn):
            arn: str = group.arn
            return arn
    raise api_error("resource-groups.not_found", group=named)
