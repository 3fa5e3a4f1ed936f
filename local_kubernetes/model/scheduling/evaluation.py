"""Which workload runs on which node groups, and which workloads run nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from local_kubernetes.model.hyperpod import HYPERPOD_TYPE
from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from local_kubernetes.model.neuron_devices import requests_devices
from local_kubernetes.model.scheduling.filters import doubts_about, unschedulable_reasons
from local_kubernetes.model.scheduling.free_allocatable import pods_per_node, with_requests_of
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.reasons import UnschedulableReason

SHOWN_GROUPS = 3
OTHER_MACHINES = {"amount": 1, "resource": 2}
"""Distance to a group that a reason adds: another instance is needed."""
TAINTED_FOR_NEURON = 2
"""Distance that a missing toleration adds for a pod that does not use Neuron devices."""
NO_GROUP = "add a node group that it fits on"


class GroupResult(Struct, frozen=True):
    """One workload on one group. ``at_max`` and ``at_desired`` are the pods that run at once at these sizes of the
    group; None: not known, or no limit (``has_limit``)."""

    group: str
    reasons: tuple[UnschedulableReason, ...]
    doubts: tuple[str, ...]
    is_required: bool
    per_node: int | None = None
    """Pods that one node holds; None: nothing that they request is counted."""
    at_max: int | None = None
    at_desired: int | None = None
    has_limit: bool = True
    scales_on_demand: bool = False
    has_device: bool = True
    """Whether the instances have Neuron devices, or the pod uses none."""
    required_size: int | None = None
    """The desired size at which all pods run at once; None: not known, or above the maximum."""

    @property
    def fits(self) -> bool:
        """As far as is known."""
        return not self.reasons

    @property
    def hint(self) -> str:
        """The changes with which the pod fits."""
        return f"for {self.group}: {', and '.join(dict.fromkeys(each.hint for each in self.reasons))}"

    @property
    def is_certain(self) -> bool:
        """Whether one of the reasons holds without doubt."""
        return any(each.doubt is None for each in self.reasons)


class SchedulingFailure(Struct, frozen=True):
    """A workload that does not run as it must. ``group`` is None where it fails on all groups; ``is_certain`` is False
    where that rests on a doubt."""

    message: str
    group: str | None
    is_certain: bool
    hint: str


class SchedulingResult(Struct, frozen=True):
    """One workload on all groups, in the order of the file."""

    pod: PodInfo
    groups: tuple[GroupResult, ...]
    has_auto_mode: bool

    @property
    def failures(self) -> tuple[SchedulingFailure, ...]:
        return tuple(_failures(self))

    @property
    def fails(self) -> bool:
        """Whether something that must run certainly does not."""
        return any(failure.is_certain for failure in self.failures)

    @property
    def fitting(self) -> list[GroupResult]:
        return [each for each in self.groups if each.fits]

    @property
    def stays_pending(self) -> bool:
        """Whether its pods fit, and not all of them at the desired sizes of the groups."""
        if self.failures or self.has_auto_mode or self.pod.required_on is not None:
            return False
        if any(each.scales_on_demand for each in self.fitting):
            return False
        running = [each.at_desired for each in self.fitting]
        known = [each for each in running if each is not None]
        return len(known) == len(running) and sum(known) < (self.pod.replicas or 0)


def evaluate_pods(
    nodes: Sequence[NodeInfo], pods: Sequence[PodInfo], *, has_auto_mode: bool
) -> tuple[SchedulingResult, ...]:
    """Every workload on every group. ``nodes`` are those of ``free_allocatable``, one for each group."""
    return tuple(SchedulingResult(pod, tuple(_on(pod, node) for node in nodes), has_auto_mode) for pod in pods)


def missing_daemon_sets(nodes: Sequence[NodeInfo], pods: Sequence[PodInfo]) -> Iterator[tuple[PodInfo, GroupResult]]:
    """Each DaemonSet with each group that requires it and on which it does not fit."""
    for pod in pods:
        if pod.kind == "DaemonSet":
            required = (_on(pod, node) for node in nodes if is_required(pod, node))
            yield from ((pod, each) for each in required if not each.fits)


def is_required(pod: PodInfo, node: NodeInfo) -> bool:
    """Whether a node of this group is incomplete without the pod."""
    if pod.required_on is None or pod.required_on.not_on & node.labels.items():
        return False
    match pod.required_on.nodes:
        case "every":
            return True
        case "neuron":
            return node.is_neuron
        case "efa":
            return node.has_efa
        case "hyperpod":
            return node.is_neuron and node.labels.get(INSTANCE_TYPE_LABEL, "").startswith(HYPERPOD_TYPE)


def _on(pod: PodInfo, node: NodeInfo) -> GroupResult:
    if pod.kind == "DaemonSet":
        node = with_requests_of(node, pod)
    reasons, doubts = unschedulable_reasons(pod, node), doubts_about(pod, node)
    per_node = pods_per_node(pod, node)
    has_device = node.is_neuron or not _uses_neuron(pod)
    result = GroupResult(node.group, reasons, doubts, is_required(pod, node), per_node, has_device=has_device)
    if pod.replicas is None or per_node is None:
        return result
    if reasons or not per_node:
        return structs.replace(result, at_max=0, at_desired=0)
    size = -(-pod.replicas // per_node)
    return structs.replace(
        result,
        at_max=None if node.max_size is None else per_node * node.max_size,
        at_desired=per_node * node.desired_size,
        has_limit=node.max_size is not None,
        scales_on_demand=node.scales_on_demand,
        required_size=size if node.max_size is None or size <= node.max_size else None,
    )


def _failures(result: SchedulingResult) -> Iterator[SchedulingFailure]:
    pod, groups = result.pod, result.groups
    if pod.required_on is not None:
        for each in groups:
            if each.is_required and not each.fits:
                message = f"{pod.workload} is not scheduled on {each.group}: {_reasons(each)}"
                message += f"; so {pod.required_on.without}"
                yield SchedulingFailure(message, each.group, each.is_certain, each.hint)
        return
    if not result.fitting:
        if not result.has_auto_mode or pod.kind == "DaemonSet":
            nearest = sorted(groups, key=lambda each: _distance(pod, each))
            hint = nearest[0].hint if nearest else NO_GROUP
            message = f"{pod.workload} fits on no node group{_closest(nearest)}"
            yield SchedulingFailure(message, None, all(each.is_certain for each in groups), hint)
    elif pod.replicas is not None and not result.has_auto_mode:
        yield from _too_many(pod, [each.at_max for each in result.fitting])


def _too_many(pod: PodInfo, at_max: Sequence[int | None]) -> Iterator[SchedulingFailure]:
    """More pods than all nodes hold at the maximum sizes of their groups."""
    known = [each for each in at_max if each is not None]
    if len(known) == len(at_max) and sum(known) < (pod.replicas or 0):
        message = f"{pod.workload} has {pod.replicas} pods, and the groups that it fits on hold {sum(known)} at most"
        hint = f"request {sum(known)} pods at most, or raise count.max of a group that it fits on"
        yield SchedulingFailure(message, None, is_certain=True, hint=hint)


def _uses_neuron(pod: PodInfo) -> bool:
    return bool(pod.claims) or requests_devices(pod.requests)


def _distance(pod: PodInfo, group: GroupResult) -> tuple[bool, int, int, int]:
    """Whether the devices are missing, resources that are, the reasons, and how many ask for other instances."""
    weights = OTHER_MACHINES if _uses_neuron(pod) else {**OTHER_MACHINES, "toleration": TAINTED_FOR_NEURON}
    missing = sum(each.constraint == "resource" for each in group.reasons)
    asked = sum(weights.get(each.constraint, 0) for each in group.reasons)
    return not group.has_device, missing, len(group.reasons), asked


def _closest(ordered: Sequence[GroupResult]) -> str:
    """The nearest groups with their reasons."""
    shown = [f"{each.group}: {_reasons(each)}" for each in ordered[:SHOWN_GROUPS]]
    more = len(ordered) - len(shown)
    return f" ({'; '.join(shown)}{f'; {more} others have more reasons' if more else ''})" if shown else ""


def _reasons(group: GroupResult) -> str:
    return ", and ".join(each.message for each in group.reasons)
