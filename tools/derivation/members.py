"""Members of botocore's shapes, found by the names of properties."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from local_aws.resource_types.templates import NAME

DEPTH = 3


def member_named(shape: Any, name: str) -> str | None:
    """The member with this name, whatever its case; None without one."""
    if shape is None or shape.type_name != "structure":
        return None
    members = {member.lower(): member for member in shape.members}
    return name if name in shape.members else members.get(name.lower())


def names_of(template: str) -> set[str]:
    """The names in a template."""
    return {each for name in NAME.findall(template) for each in name.split("/")}


def leaf_names(shape: Any) -> set[str]:
    return {name.lower() for name in shape.members}


def required_members(shape: Any) -> list[str]:
    """Members without which the call is not valid; botocore makes tokens itself."""
    tokens = {name for name, member in shape.members.items() if member.metadata.get("idempotencyToken")}
    return [name for name in shape.required_members if name not in tokens]


def best_rows(shape: Any, names: Collection[str]) -> str:
    """The path of the structure that has most of the names."""
    wanted = {name.lower() for name in names}
    scored = [
        (len(wanted & leaf_names(each)), -path.count("."), -len(path), path)
        for path, each in _structures(shape, "", DEPTH)
    ]
    return max(scored)[3] or "@"


def _structures(shape: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    if shape is None or depth == 0:
        return
    if shape.type_name == "structure":
        yield path, shape
        for name, member in shape.members.items():
            spelled = f"{name[:1].upper()}{name[1:]}"
            yield from _structures(member, f"{path}.{spelled}" if path else spelled, depth - 1)
    elif shape.type_name == "list" and shape.member.type_name == "structure":
        yield from _structures(shape.member, f"{path}[]", depth)
