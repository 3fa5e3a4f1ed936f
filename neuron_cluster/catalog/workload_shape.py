"""The workloads that charts and managed add-ons create: scheduling constraints and resource requests of their pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from local_kubernetes.model.placement import NodeSelectorRequirement, NodeSelectorTerm, Toleration
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import FolderTable

Part = Literal[
    "tolerations",
    "node_selector",
    "instance_types",
    "node_affinity",
    "requests",
    "limits",
    "replicas",
    "host_network",
    "priority_class",
]
"""The parts that a key of the values can change. ``instance_types``: those of the affinity's expression."""

NOTHING: FrozenMap[str, int] = FrozenMap()


class PodResources(Struct, frozen=True, kw_only=True):
    """Requests or limits of one pod: its containers together, or its largest init container if that is more.

    None: not set. ``extended`` are whole numbers of devices by resource name.
    """

    cpu_millicores: int | None = None
    memory_bytes: int | None = None
    extended: FrozenMap[str, int] = NOTHING


class ValuePath(Struct, frozen=True, kw_only=True):
    """The key of the values that changes a part: it ``replaces`` the recorded value, or ``adds`` to it.

    Where a pod has several containers, ``container`` has the requests of the one whose resources this key sets.
    Of a list, the template omits items that begin with one of ``without_prefixes``. ``otherwise`` is the key that
    is used where ``path`` is empty or missing.
    """

    part: Part
    path: str
    effect: Literal["replaces", "adds"]
    container: PodResources | None = None
    without_prefixes: tuple[str, ...] = ()
    otherwise: str | None = None


class NodeNeed(Struct, frozen=True, kw_only=True):
    """On which nodes a DaemonSet must run: all, those with Neuron devices, those with EFA interfaces, Neuron nodes
    of SageMaker HyperPod.

    ``without`` is a clause about what a node lacks without it. Nodes with one of the labels ``not_on`` do without it.
    """

    nodes: Literal["every", "neuron", "efa", "hyperpod"]
    without: str
    source: str
    not_on: FrozenMap[str, str] = FrozenMap()


class WorkloadShape(SourcedRow, frozen=True, kw_only=True):
    """One workload as its software creates it with default values; ``name`` is software and workload.

    ``made_by`` is the kind of software: Helm chart, EKS managed add-on or manifest; value paths are those of the
    chart's values, of the add-on's configuration, or of the bundled chart that replaces the manifest.
    ``when`` are flags with the values that create the workload. ``replicas`` is None for what runs once on every node
    that fits; ``needed_on`` are the nodes on which it must run.
    """

    made_by: Literal["chart", "addon", "manifest"]
    kind: Literal["DaemonSet", "Deployment", "StatefulSet", "Job"]
    namespace: str
    when: FrozenMap[str, bool]
    replicas: int | None
    scheduler_name: str | None
    node_selector: FrozenMap[str, str]
    node_affinity: tuple[NodeSelectorTerm, ...]
    tolerations: tuple[Toleration, ...]
    requests: PodResources
    limits: PodResources
    host_network: bool
    priority_class: str | None
    value_paths: tuple[ValuePath, ...]
    needed_on: NodeNeed | None = None
    device_class: str | None = None
    """The class under which it publishes a node's Neuron devices for claims; None: it is not a DRA driver."""

    @property
    def software(self) -> str:
        """The chart, add-on or manifest that creates it."""
        return software_of(self.name)

    @property
    def workload(self) -> str:
        """The object's own name."""
        return self.name.partition("/")[2]

    @property
    def tolerates_everything(self) -> bool:
        """Whether its pods tolerate every taint."""
        return any(each.key is None and each.effect is None for each in self.tolerations)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if (self.replicas is None) != (self.kind == "DaemonSet"):
            yield "replicas", "is for what does not run on every node"
        if (self.needed_on is None) == (self.kind == "DaemonSet"):
            yield "needed_on", "is for DaemonSets, and for each of them"
        if self.device_class is not None and self.kind != "DaemonSet":
            yield "device_class", "is for DaemonSets"
        for each in self.value_paths:
            if each.part == "instance_types" and not self._instance_type_expressions():
                yield "value_paths", "the affinity has no expression about instance types"

    def _instance_type_expressions(self) -> list[NodeSelectorRequirement]:
        expressions = [each for term in self.node_affinity for each in term.match_expressions]
        return [each for each in expressions if each.key == INSTANCE_TYPE_LABEL]


class WorkloadShapeTable(FolderTable[WorkloadShape]):
    def of_software(self, name: str) -> tuple[WorkloadShape, ...]:
        """The workloads of one chart, add-on or manifest; empty where nothing is recorded. Reads one file."""
        return tuple(self.rows_with(name).values())


def software_of(name: str) -> str:
    """The software in a row's name."""
    return name.partition("/")[0]
