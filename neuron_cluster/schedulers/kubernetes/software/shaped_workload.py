"""A recorded workload with the values that we give to its software: what its pods will look like in this cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from local_kubernetes.model.placement import NodeSelectorRequirement, NodeSelectorTerm, Toleration
from local_kubernetes.model.quantity import bytes_of, millicores_of
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.workload_shape import PodResources, ValuePath, WorkloadShape


class UnreadableValue(ValueError):
    """A value that Kubernetes cannot read: where it is in the values, and what is wrong with it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class GivenToleration(Struct, forbid_unknown_fields=True, rename="camel"):
    """A toleration as Kubernetes reads it."""

    key: str | None = None
    operator: Literal["Exists", "Equal"] = "Equal"
    value: str | None = None
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] | None = None
    toleration_seconds: int | None = None


class GivenTerm(Struct, rename="camel"):
    """A node selector term as Kubernetes reads it; fields of nodes are not looked at."""

    match_expressions: list[NodeSelectorRequirement] = []


def is_made(shape: WorkloadShape, chart: Chart | None, values: Mapping[str, Any]) -> bool:
    """Whether these values let the software make the workload. ``chart`` is None for add-ons and manifests."""
    defaults = chart.switch_defaults if chart is not None else {}
    given = ((value_at(values, flag), defaults.get(flag), wanted) for flag, wanted in shape.when.items())
    return all((default if value is None else value) is wanted for value, default, wanted in given)


def shaped_workload(shape: WorkloadShape, values: Mapping[str, Any]) -> WorkloadShape:
    """The shape after these values. Raises ``UnreadableValue`` for the first one that Kubernetes cannot read."""
    for each in shape.value_paths:
        path = each.path
        value = value_at(values, path)
        if not value and each.otherwise is not None:
            path = each.otherwise
            value = value_at(values, path)
        if value is not None:
            try:
                shape = replace(shape, **_changed(shape, each, value))
            except (ValueError, ValidationError) as error:
                raise UnreadableValue(path, str(error)) from None
    return shape


def _changed(shape: WorkloadShape, path: ValuePath, value: Any) -> Mapping[str, Any]:
    match path.part:
        case "tolerations":
            tolerations = tuple(_toleration(each) for each in convert(value, list[GivenToleration]))
            return {"tolerations": (*shape.tolerations, *tolerations) if path.effect == "adds" else tolerations}
        case "node_selector":
            return {"node_selector": FrozenMap({**shape.node_selector, **convert(value, dict[str, str])})}
        case "instance_types":
            types = tuple(each for each in convert(value, list[str]) if not each.startswith(path.without_prefixes))
            return {"node_affinity": tuple(_with_types(term, types) for term in shape.node_affinity)}
        case "node_affinity":
            return {"node_affinity": _terms(value) or shape.node_affinity}
        case "requests" | "limits" as which:
            return {which: _resources(getattr(shape, which), path, value)}
        case part:
            return {part: value}


def _with_types(term: NodeSelectorTerm, types: tuple[str, ...]) -> NodeSelectorTerm:
    return NodeSelectorTerm(
        match_expressions=tuple(
            replace(each, values=types) if each.key == INSTANCE_TYPE_LABEL else each for each in term.match_expressions
        )
    )


def _toleration(given: GivenToleration) -> Toleration:
    return Toleration(key=given.key or None, operator=given.operator, value=given.value, effect=given.effect)


def _terms(affinity: Mapping[str, Any]) -> tuple[NodeSelectorTerm, ...]:
    """An affinity without terms is met by no node, as a term without expressions is."""
    required = value_at(affinity, "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return ()
    terms: Any = value_at(required, "nodeSelectorTerms") or ({},)
    given = (convert(term, GivenTerm).match_expressions for term in terms)
    return tuple(NodeSelectorTerm(match_expressions=tuple(expressions)) for expressions in given)


def _resources(recorded: PodResources, path: ValuePath, value: Mapping[str, Any]) -> PodResources:
    """Returns the resources with those of the values; others stay as recorded: Helm merges mappings."""
    own = path.container or recorded
    value = convert(value, dict[str, str | int | float])
    cpu = millicores_of(value["cpu"]) if "cpu" in value else own.cpu_millicores
    memory = bytes_of(value["memory"]) if "memory" in value else own.memory_bytes
    return replace(
        recorded,
        cpu_millicores=_total(recorded.cpu_millicores, own.cpu_millicores, cpu),
        memory_bytes=_total(recorded.memory_bytes, own.memory_bytes, memory),
    )


def _total(pod: int | None, before: int | None, after: int | None) -> int | None:
    """The pod's total when one of its containers requests ``after`` and no longer ``before``."""
    return pod if after is None else (pod or 0) - (before or 0) + after
