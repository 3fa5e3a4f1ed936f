"""The pods of one workload as the scheduler sees them (kube-scheduler's PodInfo): constraints, requests, claims."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from local_kubernetes.model.placement import NodeSelectorRequirement, Toleration

DEFAULT_SCHEDULER = "default-scheduler"
"""The control plane's own, for all pods that name none."""


class ClaimedDevices(Struct, frozen=True):
    """Devices of one class. ``count`` is None for all that a node has.

    ``unit`` is ``node`` where a device stands for a whole node of an UltraServer. ``instance_type`` is the one that
    the claim selects, None for any.
    """

    device_class: str
    count: int | None
    unit: Literal["device", "node"] = "device"
    instance_type: str | None = None

    @property
    def text(self) -> str:
        many = "all" if self.count is None else str(self.count)
        of = f"device class {self.device_class}" if self.device_class else "no device class"
        return f"{many} {'whole node ' if self.unit == 'node' else ''}of {of}"


class ResourceClaim(Struct, frozen=True):
    """One claim of devices (DRA). ``missing`` names the object that it is made from where that is not given;
    ``doubts`` are clauses about what of it is not evaluated."""

    name: str
    devices: tuple[ClaimedDevices, ...] = ()
    missing: str | None = None
    doubts: tuple[str, ...] = ()


class RequiredNodes(Struct, frozen=True):
    """On which nodes a DaemonSet must run. ``without`` is a clause about what a node lacks otherwise.

    Nodes with one of the labels ``not_on`` are complete without it.
    """

    nodes: Literal["every", "neuron", "efa", "hyperpod"]
    without: str
    not_on: frozenset[tuple[str, str]] = frozenset()


class PodImage(Struct, frozen=True):
    """The image of a container; ``path`` is the container's own inside the object."""

    path: str
    reference: str
    uses_neuron: bool
    """Whether the container requests Neuron devices, or claims devices."""


class PodInfo(Struct, frozen=True):
    """``workload`` is ``DaemonSet kube-system/aws-node``; of several templates in one object, followed by the path of
    the template.

    ``affinity`` are the required terms: one of them must match, with all its expressions. ``requests`` are in the
    units of ``NodeInfo.allocatable``, ``pods: 1`` among them. ``replicas`` is None for what runs once on every node
    that fits.
    """

    workload: str
    kind: str
    node_selector: Mapping[str, str]
    affinity: tuple[tuple[NodeSelectorRequirement, ...], ...]
    tolerations: tuple[Toleration, ...]
    requests: Mapping[str, int]
    replicas: int | None
    software: str = ""
    """The chart, add-on or manifest that creates it; empty for a workload of the user."""
    required_on: RequiredNodes | None = None
    """None: on no nodes."""
    claims: tuple[ResourceClaim, ...] = ()
    device_class: str | None = None
    """The class of the Neuron devices that this DaemonSet publishes, if it is a DRA driver."""
    scheduler: str = ""
    """``schedulerName``; empty for the control plane's own."""
    images: tuple[PodImage, ...] = ()
    """Images of every container, in the order in which they start."""

    @property
    def owner(self) -> str:
        """The object that the pods are of: ``workload`` without the path of the template."""
        return " ".join(self.workload.split(" ")[:2])

    def has_scheduler(self, names: tuple[str, ...]) -> bool:
        """Whether one of these schedulers handles the pod."""
        return not self.scheduler or self.scheduler in names
