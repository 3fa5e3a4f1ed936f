"""What RunInstances is asked for: the request over the data of its launch template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.service import Call

MERGED = ("MetadataOptions", "Placement", "Monitoring", "IamInstanceProfile")
"""Structures of which the request overrules single members."""
DEFAULT_VERSION = "$Default"
EFA_ONLY = "efa-only"
"""An interface without an address."""


def launch_data(call: Call) -> dict[str, Any]:
    """The parameters of a RunInstances call, completed by its template. Raises ClientError when there is none."""
    given = call.parameters.get("LaunchTemplate")
    if not given:
        return dict(call.parameters)
    key = {name: given[name] for name in ("LaunchTemplateId", "LaunchTemplateName") if name in given}
    return under_request(template_data(call, given.get("Version", DEFAULT_VERSION), key), call.parameters)


def template_data(call: Call, version: str, key: Mapping[str, str]) -> dict[str, Any]:
    """The data of one version of a launch template. Raises ClientError when there is none."""
    rows = call.client("ec2").describe_launch_template_versions(Versions=[version], **key)["LaunchTemplateVersions"]
    return dict(rows[0]["LaunchTemplateData"]) if rows else {}


def under_request(data: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the request, completed by the data of the template."""
    merged = {**{name: value for name, value in data.items() if value is not None}, **request}
    for name in MERGED:
        if name in data and name in request:
            merged[name] = {**data[name], **request[name]}
    return merged


def addresses_of(data: Mapping[str, Any]) -> int:
    """So many addresses one instance takes."""
    return sum(each.get("InterfaceType") != EFA_ONLY for each in data.get("NetworkInterfaces", [])) or 1


def named_groups(data: Mapping[str, Any]) -> set[str]:
    """Ids of the security groups of a launch: its own, or those of its interfaces."""
    interfaces = data.get("NetworkInterfaces", [])
    return {*data.get("SecurityGroupIds", []), *(group for each in interfaces for group in each.get("Groups", []))}
