"""Members of HyperPod groups that no update changes, nor leaves out: a group is sent whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error

FIXED = ("InstanceType", "CapacityRequirements", "OverrideVpcConfig")
"""Source: https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterInstanceGroupSpecification.html;
inferred: all of them."""
ON_DEMAND: Mapping[str, Any] = {"OnDemand": {}}

Row = Mapping[str, Any]


def require_fixed_members(name: str, before: Row, given: Row) -> None:
    """Raises ServiceError for a group that has other fixed members than before.

    A group gets its first NodeType when its cluster is no longer configured by a file next to its script.
    """
    if moved := [member for member in FIXED if _value(given, member) != _value(before, member)]:
        raise api_error("sagemaker.fixed_member", member=moved[0], name=name)
    if _node_type(before) not in (None, _node_type(given)):
        raise api_error("sagemaker.fixed_node_type", name=name)


def _value(group: Row, member: str) -> Any:
    """On-Demand is how a group is bought of which nothing is said."""
    value = group.get(member)
    return None if value == ON_DEMAND else value


def _node_type(group: Row) -> Any:
    return group.get("SlurmConfig", {}).get("NodeType")
