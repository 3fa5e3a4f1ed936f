"""The state of a rehearsal that all controllers share."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local_kubernetes.model.hyperpod import HEALTH_TAINT
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.controller_timing import ControllerTiming
from neuron_cluster.rehearsal.agenda import Agenda
from neuron_cluster.rehearsal.clock import Clock
from neuron_cluster.rehearsal.cluster.objects import Node, NodeState, Pod
from neuron_cluster.rehearsal.timeline import Source, Timeline


class Seconds:
    """How long controllers and machines take, from the catalog; a rehearsal may set its own."""

    def __init__(self, rows: Mapping[str, ControllerTiming], given: Mapping[str, float]) -> None:
        self._rows = rows
        self._given = given

    def __getitem__(self, name: str) -> float:
        """Raises ``KeyError`` for a name that the catalog does not have."""
        return self._given.get(name, self._rows[name].seconds)


@dataclass(kw_only=True)
class World:
    """Nodes, pods, claims and time. ``folder`` has a directory for each claim, container and log."""

    clock: Clock
    agenda: Agenda
    timeline: Timeline
    seconds: Seconds
    folder: Path
    ranks: int
    compile_seconds: int
    nodes: list[Node] = field(default_factory=list)
    pods: list[Pod] = field(default_factory=list)
    config_maps: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    claims: dict[str, Path] = field(default_factory=dict)
    device_claims: list[Mapping[str, Any]] = field(default_factory=list)
    """ResourceClaims and ResourceClaimTemplates."""
    replaced_programs: set[str] = field(default_factory=set)
    """Programs of the workload that others replace here."""
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def number(self) -> int:
        """A number that no other object has."""
        return next(self._numbers)

    def info_of(self, name: str, namespace: str, spec: Mapping[str, Any]) -> PodInfo:
        """A pod as kube-scheduler reads it, with the devices that it claims."""
        body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace}, "spec": spec}
        (info,) = pods_of([body], namespace=namespace, others=self.device_claims)
        return info

    def live_pods(self) -> list[Pod]:
        """Returns the pods that the API server has."""
        return [pod for pod in self.pods if not pod.is_gone]

    def pods_of(self, owner: str) -> list[Pod]:
        return [pod for pod in self.live_pods() if pod.owner == owner]

    def pods_of_any(self, owners: Collection[str]) -> list[Pod]:
        return [pod for pod in self.live_pods() if pod.owner in owners]

    def pods_on(self, node: Node) -> list[Pod]:
        return [pod for pod in self.live_pods() if pod.node is node]

    def present_nodes(self) -> list[Node]:
        """Returns the nodes whose object the API server has."""
        return [node for node in self.nodes if node.ended_at is None]

    def delete_pod(self, pod: Pod, *, disruption: str | None = None, grace_seconds: float | None = None) -> None:
        """Marks it for deletion, as the API server does; its kubelet ends it. A second deletion changes nothing."""
        if pod.disruption is None:
            pod.disruption = disruption
        if pod.deletes_at is not None or pod.is_gone:
            return
        grace = pod.grace_seconds if grace_seconds is None else grace_seconds
        pod.deletes_at = self.clock.now() + grace
        if pod.node is None or pod.is_terminal:
            self.forget_pod(pod)

    def forget_pod(self, pod: Pod) -> None:
        """The object leaves the API server."""
        pod.is_gone = True

    def start_node(self, like: Node) -> None:
        """A new instance of the same group: it boots, joins the cluster, and passes the checks of its service."""
        name = f"{like.info.group}-{self.number()}"
        node = Node(
            name=name,
            info=like.info,
            position=like.position,
            recovery=like.recovery,
            repair_seconds=like.repair_seconds,
            started_at=self.clock.now(),
        )
        self.nodes.append(node)
        self.timeline.record(Source.NODE, name, "Launched", "boots and joins the cluster")
        checks = node.recovery.checks if node.recovery is not None else None

        def ready() -> None:
            if node.state is not NodeState.STARTING or node.ended_at is not None:  # it was lost while it booted
                return
            node.state = NodeState.READY
            node.has_health_taint = checks is not None
            self.timeline.record(Source.NODE, name, "Ready")
            if checks is not None:
                self.timeline.record(Source.NODE, name, "DeepHealthChecks", f"taint {HEALTH_TAINT.key}")
                self.agenda.after(self.seconds[checks], passed)

        def passed() -> None:
            if node.state is not NodeState.READY or node.ended_at is not None:
                return
            node.has_health_taint = False
            self.timeline.record(Source.NODE, name, "Schedulable", "it has passed the checks")

        self.agenda.after(self.seconds["node_boot_and_join"], ready)
