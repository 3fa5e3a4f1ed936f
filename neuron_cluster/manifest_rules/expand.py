"""Finds what stands at a path with wildcards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.template_rules.property_tree import items


def expand(tree: Any, path: str, at: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of everything at ``path``; ``*`` stands for each item of a list and each value of a map.

    ``expand(body, "spec.replicatedJobs.*.template")`` gives ``spec.replicatedJobs[0].template`` and so on.
    """
    step, _, rest = path.partition(".")
    if not path:
        yield at, tree
    elif step == "*":
        found = tree.items() if isinstance(tree, Mapping) else enumerate(items(tree))
        for key, value in found:
            yield from expand(value, rest, inside(at, key))
    elif isinstance(tree, Mapping) and step in tree:
        yield from expand(tree[step], rest, inside(at, step))


def inside(path: str, key: Any) -> str:
    """The path of a member: ``limits[aws.amazon.com/neuron]`` where the key's own dots would mislead."""
    if not isinstance(key, str) or "." in key or "/" in key:
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def every_value(tree: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of everything inside, the outermost first."""
    found = tree.items() if isinstance(tree, Mapping) else enumerate(items(tree))
    for key, value in found:
        path = inside(at, key)
        yield path, value
        yield from every_value(value, path)
