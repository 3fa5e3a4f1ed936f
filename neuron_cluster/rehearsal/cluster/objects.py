"""Nodes and pods of a rehearsal, as their controllers change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from local_kubernetes.model.fields import at, items
from local_kubernetes.model.neuron_devices import cores_per_device, requested_devices
from local_kubernetes.model.node_recovery import EC2_AUTO_SCALING, NodeRecovery
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from neuron_cluster.rehearsal.container_process import ContainerProcess

DEFAULT_GRACE_SECONDS = 30
"""terminationGracePeriodSeconds where a pod does not set it (Kubernetes API reference, PodSpec)."""
INDEX_ANNOTATION = "batch.kubernetes.io/job-completion-index"


class NodeState(StrEnum):
    """``SILENT``: its kubelet does not report any more."""

    STARTING = "Starting"
    READY = "Ready"
    SILENT = "NotReady"


@dataclass(eq=False, kw_only=True)
class Node:
    """One EC2 instance of a node group."""

    name: str
    info: NodeInfo
    position: int = 0
    """Among the instances of the group; a replacement has that of the instance before it."""
    state: NodeState = NodeState.STARTING
    is_cordoned: bool = False
    has_failed_device: bool = False
    has_health_taint: bool = False
    """HyperPod checks it, or is about to replace it: new pods are not scheduled to it."""
    recovery: NodeRecovery | None = EC2_AUTO_SCALING
    repair_seconds: float | None = None
    """From a device error until node auto repair drains the node; None: it does not."""
    images: set[str] = field(default_factory=set)
    started_at: float = 0.0
    ended_at: float | None = None

    @property
    def is_schedulable(self) -> bool:
        return self.state is NodeState.READY and not self.is_cordoned and not self.has_health_taint


class Phase(StrEnum):
    """The phase of a pod, as in its status."""

    PENDING = "Pending"
    RUNNING = "Running"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"


@dataclass(eq=False)
class Container:
    """One container; ``process`` is None before its start and after its end."""

    body: Mapping[str, Any]
    is_init: bool = False
    process: ContainerProcess | None = None
    exit_code: int | None = None
    restarts: int = 0
    is_ready: bool = False

    @property
    def name(self) -> str:
        return str(self.body["name"])


@dataclass(eq=False, kw_only=True)
class Pod:
    """``index`` is its place among those of its owner, where it has one; ``address`` is its own in 127.0.0.0/8."""

    name: str
    namespace: str
    info: PodInfo
    spec: Mapping[str, Any]
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    owner: str
    host_name: str
    uid: str = ""
    """A later pod of the same name has another one."""
    index: int | None = None
    is_found_unready: bool = True
    """Whether its name resolves before it is Ready: JobSet and LeaderWorkerSet set ``publishNotReadyAddresses``."""
    only_node: Node | None = None
    """The node of a pod of a DaemonSet: it runs only there, also while the node is cordoned, and no drain evicts it."""
    is_gated: bool = False
    """Whether Kueue holds it back by a scheduling gate."""
    node: Node | None = None
    address: str = ""
    phase: Phase = Phase.PENDING
    disruption: str | None = None
    """Reason of the condition DisruptionTarget, where the pod has it."""
    containers: list[Container] = field(default_factory=list)
    is_too_late: bool = False
    """Whether its own deadline has passed."""
    deletes_at: float | None = None
    """When its grace period ends; None while it is not being deleted."""
    is_gone: bool = False
    """Whether the object has left the API server."""
    message: str = ""

    def __post_init__(self) -> None:
        self.uid = self.uid or self.name
        for place, is_init in (("initContainers", True), ("containers", False)):
            self.containers += (Container(body, is_init) for body in items(at(self.spec, place)))

    @property
    def has_kubelet(self) -> bool:
        """Whether it is on a node that reports."""
        return self.node is not None and self.node.state is NodeState.READY and self.node.ended_at is None

    @property
    def is_terminal(self) -> bool:
        return self.phase in (Phase.SUCCEEDED, Phase.FAILED)

    @property
    def is_done(self) -> bool:
        return self.phase is Phase.SUCCEEDED

    @property
    def is_active(self) -> bool:
        """Whether a Job counts it as active: neither ended nor being deleted."""
        return not self.is_gone and not self.is_terminal and self.deletes_at is None

    @property
    def grace_seconds(self) -> int:
        given = at(self.spec, "terminationGracePeriodSeconds")
        return DEFAULT_GRACE_SECONDS if given is None else int(given)

    @property
    def main_containers(self) -> list[Container]:
        return [each for each in self.containers if not each.is_init]

    @property
    def is_ready(self) -> bool:
        """As its condition Ready."""
        return self.phase is Phase.RUNNING and all(each.is_ready for each in self.main_containers)

    @property
    def neuron_devices(self) -> int:
        """The number of devices of its container: requested from a device plugin, or claimed from a DRA driver."""
        claimed = [devices for claim in self.info.claims for devices in claim.devices]
        if any(each.count is None or each.unit == "node" for each in claimed):
            return self.node.info.neuron_devices or 0 if self.node is not None else 0
        cores = cores_per_device(self.node.info.allocatable) if self.node is not None else 0
        return requested_devices(self.info.requests, cores) + sum(each.count or 0 for each in claimed)

    @property
    def has_name(self) -> bool:
        """Whether others can resolve its host name."""
        return bool(self.address) and not self.is_terminal and (self.is_found_unready or self.is_ready)

    @property
    def claims(self) -> dict[str, str]:
        """The claim of each volume that mounts one."""
        volumes = items(at(self.spec, "volumes"))
        found = ((each.get("name"), at(each, "persistentVolumeClaim", "claimName")) for each in volumes)
        return {str(name): str(claim) for name, claim in found if claim is not None}
