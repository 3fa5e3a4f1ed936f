"""Which resources of a template refer to which, directly or through others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

IN_SUBSTITUTION = re.compile(r"\$\{([A-Za-z0-9]+)[.}]")


def named_in(tree: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and logical id of every Ref, Fn::GetAtt and Fn::Sub in a part of a template as written."""
    if isinstance(tree, Mapping):
        for key, member in tree.items():
            match key, member:
                case "Ref", str():
                    yield path, member
                case "Fn::GetAtt", list():
                    yield path, str(member[0])
                case "Fn::GetAtt", str():
                    yield path, member.split(".", 1)[0]
                case "Fn::Sub", _:
                    yield from ((path, name) for name in IN_SUBSTITUTION.findall(str(member)))
                case _:
                    yield from named_in(member, f"{path}.{key}" if path else str(key))
    elif isinstance(tree, list):
        for position, item in enumerate(tree):
            yield from named_in(item, f"{path}[{position}]")


def reaches(start: str, goal: str, resources: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether one resource of a template refers to another, directly or through others, DependsOn included."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        logical_id = waiting.pop()
        if logical_id == goal:
            return True
        if logical_id in seen or logical_id not in resources:
            continue
        seen.add(logical_id)
        body = resources[logical_id]
        waiting += [name for _, name in named_in(body.get("Properties", {}))]
        after = body.get("DependsOn", [])
        waiting += [after] if isinstance(after, str) else after
    return False
