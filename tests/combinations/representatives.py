"""Launch templates that stand for all: every value that some launch template has, one of these has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

A_RESERVATION = r'cr-[0-9a-f]+|group/[^"]+'
PLACEMENT_GROUP = "AWS::EC2::PlacementGroup"
LAUNCH_TEMPLATE = "AWS::EC2::LaunchTemplate"
NODE_GROUP = "AWS::EKS::Nodegroup"
Resources = Mapping[str, Mapping[str, Any]]
Stacks = Mapping[str, Mapping[str, Any]]


def values_of(template: Mapping[str, Any]) -> set[str]:
    """Returns values of a launch template (instance type, interfaces, disks, …), and whether it has tags and boot."""
    data = template["Properties"]["LaunchTemplateData"]
    own = dict.fromkeys({"TagSpecifications", "UserData", "Placement"} & data.keys())
    return {re.sub(A_RESERVATION, "…", json.dumps(value, sort_keys=True)) for value in {**data, **own}.items()}


def name_of(template: Mapping[str, Any]) -> str:
    return str(template["Properties"]["LaunchTemplateData"]["TagSpecifications"][0]["Tags"][0]["Value"])


def launch_templates(resources: Resources) -> dict[str, Mapping[str, Any]]:
    return {name: each for name, each in resources.items() if each["Type"] == LAUNCH_TEMPLATE}


def representative(regions: Mapping[str, Stacks], with_nodes: AbstractSet[str]) -> dict[str, dict[str, dict[str, Any]]]:
    """The same stacks by Region with the node groups of these names, and launch templates that bring a new value."""
    seen: set[str] = set()
    return {
        region: {
            name: _of_node_groups(whole, with_nodes) if name.endswith("-nodes") else _reduced(whole, seen)
            for name, whole in stacks.items()
        }
        for region, stacks in regions.items()
    }


def _of_node_groups(whole: Mapping[str, Any], names: AbstractSet[str]) -> dict[str, Any]:
    """The stack without the other node groups and what they alone use."""
    resources = whole["Resources"]
    retained = {
        name: each
        for name, each in resources.items()
        if each["Type"] != NODE_GROUP or each["Properties"]["Labels"]["combination"] in names
    }
    return {**whole, "Resources": _without_unused(PLACEMENT_GROUP, _without_unused(LAUNCH_TEMPLATE, retained))}


def _reduced(whole: Mapping[str, Any], seen: set[str]) -> dict[str, Any]:
    resources = whole["Resources"]
    left_out = {*launch_templates(resources)} - {*_with_new_values(resources, seen)}
    retained = {name: each for name, each in resources.items() if name not in left_out}
    return {**whole, "Resources": _without_unused(PLACEMENT_GROUP, retained)}


def _without_unused(kind: str, resources: Resources) -> Resources:
    """The resources but for those of the type that none refers to."""
    used = json.dumps(resources)
    referred = {name for name in resources if f'"Ref": "{name}"' in used or f'"Fn::GetAtt": ["{name}"' in used}
    return {name: each for name, each in resources.items() if each["Type"] != kind or name in referred}


def _with_new_values(resources: Resources, seen: set[str]) -> Iterator[str]:
    for name, template in launch_templates(resources).items():
        values = values_of(template)
        if not values <= seen:
            yield name
        seen |= values
