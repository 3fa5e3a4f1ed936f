"""Launch templates that stand for all: every value that some launch template has, one of these has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

A_RESERVATION = r'cr-[0-9a-f]+|group/[^"]+'
PLACEMENT_GROUP = "AWS::EC2::PlacementGroup"
LAUNCH_TEMPLATE = "AWS::EC2::LaunchTemplate"
Resources = Mapping[str, Mapping[str, Any]]
Stacks = Mapping[str, Mapping[str, Any]]


def values_of(template: Mapping[str, Any]) -> set[str]:
    """What a launch template has (an instance type, interfaces, disks, …); of tags and boot, whether it has them."""
    data = template["Properties"]["LaunchTemplateData"]
    own = dict.fromkeys({"TagSpecifications", "UserData", "Placement"} & data.keys())
    return {re.sub(A_RESERVATION, "…", json.dumps(value, sort_keys=True)) for value in {**data, **own}.items()}


def name_of(template: Mapping[str, Any]) -> str:
    return str(template["Properties"]["LaunchTemplateData"]["TagSpecifications"][0]["Tags"][0]["Value"])


def launch_templates(resources: Resources) -> dict[str, Mapping[str, Any]]:
    return {name: each for name, each in resources.items() if each["Type"] == LAUNCH_TEMPLATE}


def representative(regions: Mapping[str, Stacks]) -> dict[str, dict[str, dict[str, Any]]]:
    """The same stacks by Region with launch templates that bring a new value, or that node groups use."""
    seen: set[str] = set()
    return {
        region: {name: _reduced(name, whole, seen) for name, whole in stacks.items()}
        for region, stacks in regions.items()
    }


def _reduced(name: str, whole: Mapping[str, Any], seen: set[str]) -> dict[str, Any]:
    resources = whole["Resources"]
    left_out = () if name.endswith("-nodes") else {*launch_templates(resources)} - {*_with_new_values(resources, seen)}
    used = json.dumps({name: each for name, each in resources.items() if name not in left_out})
    unused = {
        name for name, each in resources.items() if each["Type"] == PLACEMENT_GROUP and f'"Ref": "{name}"' not in used
    }
    return {**whole, "Resources": {n: each for n, each in resources.items() if n not in left_out and n not in unused}}


def _with_new_values(resources: Resources, seen: set[str]) -> Iterator[str]:
    for name, template in launch_templates(resources).items():
        values = values_of(template)
        if not values <= seen:
            yield name
        seen |= values
