"""Changes of software in the cluster: chart versions, container images, and pods that reach their node."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.kubernetes_objects import CHART, OBJECTS, parsed
from neuron_cluster.changes.stack_set import StackSet

OF_IMAGES = frozenset({"image", "repository", "registry", "tag", "digest", "sha"})
"""Keys of chart values and of containers that decide which image runs."""
OF_THE_NODE = frozenset({"privileged", "hostPath", "hostNetwork", "hostPID", "hostIPC", "allowPrivilegeEscalation"})
"""Keys with which a pod reaches beyond its container."""
OF_RELEASES = ("Repository", "Chart", "Version")


class ImageChange(Struct, frozen=True):
    """One setting. ``before`` or ``after`` is empty where there is none: then the chart decides."""

    where: str
    """Release or object, and the path of the setting: ``kueue: controllerManager.manager.image.tag``."""
    before: str
    after: str


def image_changes(comparison: Comparison) -> list[ImageChange]:
    """Returns the changes by release, then by path."""
    before, after = dict(_settings(comparison.before)), dict(_settings(comparison.after))
    return [
        ImageChange(where, before.get(where, ""), after.get(where, ""))
        for where in sorted(before.keys() | after.keys())
        if before.get(where) != after.get(where)
    ]


def _settings(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for address in sorted(stacks.addresses()):
        resource = stacks.resource(address)
        properties: Mapping[str, Any] = resource.get("Properties", {})
        if resource["Type"] == CHART:
            release = str(properties.get("Release", address.logical_id))
            yield from ((f"{release}: {key}", str(properties[key])) for key in OF_RELEASES if key in properties)
            yield from _leaves(release, "", parsed(properties.get("Values")))
        elif resource["Type"] == OBJECTS:
            yield from _leaves(address.logical_id, "", parsed(properties.get("Manifest")))


def _leaves(release: str, path: str, value: Any, *, is_wanted: bool = False) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, below in value.items():
            wanted = is_wanted or key in OF_THE_NODE or (key in OF_IMAGES and not isinstance(below, (dict, list)))
            yield from _leaves(release, f"{path}.{key}" if path else str(key), below, is_wanted=wanted)
    elif isinstance(value, list):
        for position, below in enumerate(value):
            yield from _leaves(release, f"{path}[{position}]", below, is_wanted=is_wanted)
    elif is_wanted:
        yield f"{release}: {path}", value if isinstance(value, str) else json.dumps(value)
