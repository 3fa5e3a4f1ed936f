"""Placement groups: moto has none."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.running_capacity import placement_groups_in_use
from local_aws.service import Call, operation


@operation("ec2", "CreatePlacementGroup")
def create_placement_group(call: Call) -> Mapping[str, Any]:
    name = call.parameters["GroupName"]
    groups = call.table("placement-groups")
    if name in groups:
        raise api_error("ec2.placement_group_exists", name=name)
    strategy = call.parameters.get("Strategy", "cluster")
    group_id = f"pg-{secrets.token_hex(9)[:17]}"
    group = {
        "GroupName": name,
        "GroupId": group_id,
        "GroupArn": f"arn:aws:ec2:{call.region}:{call.account}:placement-group/{name}",
        "State": "available",
        "Strategy": strategy,
        **_shape(strategy, call.parameters),
        "Tags": [
            tag
            for each in call.parameters.get("TagSpecifications", [])
            if each.get("ResourceType") == "placement-group"
            for tag in each.get("Tags", [])
        ],
    }
    groups[name] = group
    return {"PlacementGroup": group}


def _shape(strategy: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Partitions or the level of the spread: each belongs to one strategy only."""
    if strategy == "partition":
        return {"PartitionCount": parameters.get("PartitionCount", 2)}
    return {"SpreadLevel": parameters.get("SpreadLevel", "rack")} if strategy == "spread" else {}


@operation("ec2", "DescribePlacementGroups")
def describe_placement_groups(call: Call) -> Mapping[str, Any]:
    groups = call.table("placement-groups")
    names, ids = call.parameters.get("GroupNames", []), call.parameters.get("GroupIds", [])
    for name in names:
        _group(call, name)
    return {
        "PlacementGroups": [
            group
            for group in groups.values()
            if (not names or group["GroupName"] in names)
            and (not ids or group["GroupId"] in ids)
            and all(_matches(group, each) for each in call.parameters.get("Filters", []))
        ]
    }


@operation("ec2", "DeletePlacementGroup")
def delete_placement_group(call: Call) -> Mapping[str, Any]:
    """One that an instance is in stays, be it described yet or not."""
    name = call.parameters["GroupName"]
    group = _group(call, name)
    instances = call.moto_backend("ec2").all_instances()
    living = (each.placement.group_name for each in instances if each.state != "terminated")
    if name in living or {name, group["GroupId"]} & placement_groups_in_use(call):
        raise api_error("ec2.placement_group_in_use", name=name)
    del call.table("placement-groups")[name]
    return {}


def _group(call: Call, name: str) -> dict[str, Any]:
    group: dict[str, Any] | None = call.table("placement-groups").get(name)
    if group is None:
        raise api_error("ec2.no_placement_group", name=name)
    return group


def _matches(group: Mapping[str, Any], condition: Mapping[str, Any]) -> bool:
    name, values = condition["Name"], condition["Values"]
    members = {"group-name": "GroupName", "state": "State", "strategy": "Strategy", "group-arn": "GroupArn"}
    if name == "tag-key":
        return any(tag["Key"] in values for tag in group["Tags"])
    if name.startswith("tag:"):
        return any(tag["Key"] == name[4:] and tag["Value"] in values for tag in group["Tags"])
    if name not in members:
        raise api_error("ec2.filter", name=name)
    return group[members[name]] in values


def require_placement_group(call: Call, placement: Mapping[str, Any]) -> None:
    """The group that a launch names is there."""
    groups = call.store.table(call.account, call.region, "ec2.placement-groups")
    name, group_id = placement.get("GroupName"), placement.get("GroupId")
    if name and name not in groups:
        raise api_error("ec2.no_placement_group", name=name)
    if group_id and group_id not in {group["GroupId"] for group in groups.values()}:
        raise api_error("ec2.no_placement_group", name=group_id)
