"""Resources that show in another resource too: rules in a security group, inline policies in a role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

ATTACHED = {
    "AWS::EC2::SecurityGroup": {
        "SecurityGroupIngress": ("AWS::EC2::SecurityGroupIngress", "GroupId"),
        "SecurityGroupEgress": ("AWS::EC2::SecurityGroupEgress", "GroupId"),
    },
    "AWS::IAM::Role": {"Policies": ("AWS::IAM::Policy", "Roles")},
}
"""The type whose resources are in a list too, and the property that names the holder, by type and property."""


def attached_types(type_name: str) -> set[str]:
    """Types whose resources show in a resource of this type."""
    return {kind for kind, _ in ATTACHED.get(type_name, {}).values()}


def without_attachments(
    type_name: str, physical_id: str, actual: Mapping[str, Any], others: Iterable[tuple[str, Mapping[str, Any]]]
) -> dict[str, Any]:
    """``actual`` less what is a resource of its own; ``others`` are types and properties of the stack's resources."""
    left = {name: list(value) if isinstance(value, list) else value for name, value in actual.items()}
    attached = list(others)
    for name, (kind, holder) in ATTACHED.get(type_name, {}).items():
        for other_type, properties in attached:
            if other_type == kind and _names(properties.get(holder), physical_id):
                _drop_first(left.get(name, []), properties)
    return left


def _names(holder: Any, physical_id: str) -> bool:
    return physical_id in holder if isinstance(holder, list) else bool(holder == physical_id)


def _drop_first(items: list[Any], properties: Mapping[str, Any]) -> None:
    for position, item in enumerate(items):
        if all(properties.get(name) == value for name, value in item.items()):
            del items[position]
            return
