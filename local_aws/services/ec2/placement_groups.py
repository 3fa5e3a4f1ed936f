"""Placement groups: what belongs to one strategy, and no deletion while an instance is in one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.running_capacity import placement_groups_in_use
from local_aws.services.table import made_by


@made_by("AWS::EC2::PlacementGroup")
def shape(_: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Partitions or the level of the spread: each belongs to one strategy only."""
    if row.get("Strategy") == "partition":
        return {"PartitionCount": row.get("PartitionCount", 2)}
    return {"SpreadLevel": row.get("SpreadLevel", "rack")} if row.get("Strategy") == "spread" else {}


@guard("ec2", "DeletePlacementGroup")
def require_unused(call: Call) -> None:
    """One that an instance is in stays, be it described yet or not."""
    name = call.parameters["GroupName"]
    instances = call.moto_backend("ec2").all_instances()
    living = {each.placement.group_name for each in instances if each.state != "terminated"}
    used = living | placement_groups_in_use(call)
    if {name, _groups(call).get(name, {}).get("GroupId", name)} & used:
        raise api_error("ec2.placement_group_in_use", name=name)


def require_placement_group(call: Call, placement: Mapping[str, Any]) -> None:
    """The group that a launch names is there."""
    groups, name, group_id = _groups(call), placement.get("GroupName"), placement.get("GroupId")
    if name and name not in groups:
        raise api_error("ec2.no_placement_group", name=name)
    if group_id and group_id not in {group["GroupId"] for group in groups.values()}:
        raise api_error("ec2.no_placement_group", name=group_id)


def _groups(call: Call) -> dict[str, Any]:
    """Returns the groups by name; a call of EKS names them, too."""
    return call.store.table(call.account, call.region, "ec2.PlacementGroup")
