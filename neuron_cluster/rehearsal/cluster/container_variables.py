"""Environment variables, command and arguments of a container, as kubelet resolves them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at, items
from neuron_cluster.rehearsal.cluster.objects import INDEX_ANNOTATION, Container, Pod
from neuron_cluster.rehearsal.cluster.world import World

_OF_MAP = re.compile(r"metadata\.(?P<map>labels|annotations)\['(?P<key>[^']+)'\]")
_REFERENCE = re.compile(r"\$\$|\$\((?P<name>[A-Za-z_][A-Za-z0-9_.-]*)\)")
COMPLETION_INDEX = "JOB_COMPLETION_INDEX"


class MissingReference(Exception):
    """A variable refers to an object that the rehearsal does not have."""


def variables_of(pod: Pod, container: Container, world: World) -> dict[str, str]:
    """In the order of the container: later values refer to earlier ones. Raises ``MissingReference``."""
    index = pod.annotations.get(INDEX_ANNOTATION)
    found = {} if index is None else {COMPLETION_INDEX: index}
    for name, value in _given(pod, container.body, world):
        found[name] = expanded(value, found)
    return found


def command_of(container: Container, variables: Mapping[str, str]) -> tuple[str, ...]:
    """Empty where the image decides."""
    command = [*items(container.body.get("command")), *items(container.body.get("args"))]
    return tuple(expanded(str(each), variables) for each in command) if container.body.get("command") else ()


def expanded(text: str, variables: Mapping[str, str]) -> str:
    """``$(NAME)`` by the variable, unless there is none; ``$$`` is one dollar."""

    def replacement(match: re.Match[str]) -> str:
        name = match["name"]
        return "$" if name is None else variables.get(name, match[0])

    return _REFERENCE.sub(replacement, text)


def _given(pod: Pod, body: Mapping[str, Any], world: World) -> Iterator[tuple[str, str]]:
    for source in items(body.get("envFrom")):
        name = at(source, "configMapRef", "name") or at(source, "secretRef", "name")
        is_optional = at(source, "configMapRef", "optional") or at(source, "secretRef", "optional")
        if name in world.config_maps:
            yield from ((key, str(value)) for key, value in world.config_maps[name].items())
        elif not is_optional:
            raise MissingReference(f"envFrom {name}")
    for entry in items(body.get("env")):
        yield str(entry["name"]), _value(pod, entry, world)


def _value(pod: Pod, entry: Mapping[str, Any], world: World) -> str:
    field = at(entry, "valueFrom", "fieldRef", "fieldPath")
    if field is not None:
        return _field(pod, str(field))
    reference = at(entry, "valueFrom", "configMapKeyRef") or at(entry, "valueFrom", "secretKeyRef")
    if reference is not None:
        data = world.config_maps.get(str(at(reference, "name")), {})
        if at(reference, "key") not in data and not at(reference, "optional"):
            raise MissingReference(f"{entry['name']} from {at(reference, 'name')}")
        return str(data.get(at(reference, "key"), ""))
    return str(entry.get("value", ""))


def _field(pod: Pod, path: str) -> str:
    of_map = _OF_MAP.fullmatch(path)
    if of_map is not None:
        return (pod.labels if of_map["map"] == "labels" else pod.annotations).get(of_map["key"], "")
    known = {
        "metadata.name": pod.name,
        "metadata.namespace": pod.namespace,
        "spec.nodeName": pod.node.name if pod.node is not None else "",
        "status.podIP": pod.address,
        "status.hostIP": pod.address,
    }
    if path not in known:
        raise MissingReference(f"the field {path}")
    return known[path]
