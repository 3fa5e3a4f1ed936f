"""Programs of user manifests that use more NeuronCores than their container requests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.fields import at, items, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE, NEURON, NEURON_CORE
from local_kubernetes.model.neuron_devices import cores_per_device
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import Container, pod_templates
from local_kubernetes.model.scheduling.evaluation import SchedulingResult
from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import counted
from neuron_cluster.sizing.trainer import TENSOR

TOO_FEW_CORES = "W9315"
SIZES = (*TENSOR, "-tp")
"""Options of servers and trainers with the number of cores that share one layer."""
VARIABLE = "NEURON_RT_NUM_CORES"
OF_ONE_POD = frozenset({"DaemonSet", "Deployment", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"})
"""Kinds whose pods do not share a layer with each other."""


def core_count_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    results: Iterable[tuple[str, SchedulingResult]],
    nodes: Sequence[NodeInfo],
) -> Iterator[Finding]:
    """W9315 for each option and variable. ``nodes`` are empty ones, one for each group."""
    fitting: dict[tuple[str, str], set[str]] = {}
    for source, result in results:
        fitting.setdefault((source, result.pod.owner), set()).update(each.group for each in result.fitting)
    for source, objects in manifests:
        for body in objects:
            owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)
            groups = fitting.get((source, owner.workload), ())
            of_groups = [node for node in nodes if node.group in groups]
            for template in pod_templates(owner) if of_groups else ():
                for container in template.containers:
                    yield from _of_container(source, owner, container, of_groups)


def _of_container(
    source: str, owner: KubernetesObject, container: Container, nodes: Sequence[NodeInfo]
) -> Iterator[Finding]:
    requested = at(container.body, "resources", "limits") or at(container.body, "resources", "requests") or {}
    most = max(_cores(requested, node) for node in nodes)
    if not most:
        return
    for name, wanted in _wanted(container, has_one_pod=owner.kind in OF_ONE_POD):
        if wanted > most:
            message = f"{name} is {wanted}, and the container has {counted(most, 'core')} on {_names(nodes)}"
            hint = f"request as many {NEURON} as have {wanted} cores, or set {name} to {most}"
            yield Finding(TOO_FEW_CORES, Location(source, path=f"{owner.place} {container.path}"), message, hint)


def _cores(requested: Any, node: NodeInfo) -> int:
    """Logical cores of the container's request on a node; 0 where they are not known."""
    if not isinstance(requested, Mapping):
        return 0
    cores, devices = (_count(requested.get(name)) for name in (NEURON_CORE, NEURON))
    return cores or devices * cores_per_device(node.allocatable)


def _wanted(container: Container, *, has_one_pod: bool) -> Iterator[tuple[str, int]]:
    """Option or variable, with the number of cores that it needs."""
    for each in items(at(container.body, "env")):
        if at(each, "name") == VARIABLE and _count(at(each, "value")):
            yield VARIABLE, _count(at(each, "value"))
    if has_one_pod:
        words = [str(each) for part in ("command", "args") for each in items(at(container.body, part))]
        # A shell's script is one word with all of them.
        split = [word for text in words for word in re.split(r"\s+", text)]
        for position, word in enumerate(split):
            name, equals, value = word.partition("=")
            following = split[position + 1] if position + 1 < len(split) else ""
            if name in SIZES and _count(value if equals else following):
                yield name, _count(value if equals else following)


def _count(value: Any) -> int:
    """0 for other text than a whole number."""
    digits = str(value)
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0  # noqa: PLR2004


def _names(nodes: Sequence[NodeInfo]) -> str:
    return ", ".join(dict.fromkeys(node.group for node in nodes))
