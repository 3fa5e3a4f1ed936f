"""Which workload runs on which node groups, and what of that is a mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.kubernetes.names import NEURON, NEURON_CORE
from neuron_cluster.plan.cluster_plan import ClusterPlan, EksPlan, NodeGroupPlan
from neuron_cluster.schedule.fit import doubts_about, misfits
from neuron_cluster.schedule.misfit import UnschedulableReason
from neuron_cluster.schedule.node_shape import NodeShape, node_shapes
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.room import after_daemons, given_back, pods_at_once

SHOWN_GROUPS = 3
OF_OTHER_MACHINES = {"amount": 1, "resource": 2}
OF_NEURON = 2
"""What a toleration counts for a pod that has no use for Neuron devices."""
NO_GROUP = "add a node group that it fits on"


class GroupResult(Struct, frozen=True):
    """One workload on one group. ``at_most`` pods run there at once at the group's largest size; None: not known."""

    group: str
    misfits: tuple[UnschedulableReason, ...]
    doubts: tuple[str, ...]
    is_needed: bool
    at_most: int | None
    at_desired: int | None = None
    """The same at the desired size."""
    desired_for: int | None = None
    """The desired size at which all pods run at once; None: not known, or more than the largest size."""

    @property
    def fits(self) -> bool:
        """As far as is known."""
        return not self.misfits

    @property
    def way(self) -> str:
        """What to do about all that keeps the pod away."""
        return f"for {self.group}: {', and '.join(dict.fromkeys(each.way for each in self.misfits))}"

    @property
    def surely_not(self) -> bool:
        """Whether a reason holds that nothing speaks against."""
        return any(each.doubt is None for each in self.misfits)


class Flaw(Struct, frozen=True):
    """A mistake. ``group`` is None where it is one of all groups; ``is_certain`` False where it rests on a doubt,
    ``way`` what to do about it."""

    words: str
    group: str | None
    is_certain: bool
    way: str


class Verdict(Struct, frozen=True):
    """One workload on all groups, in the order of the file."""

    pod: PodShape
    groups: tuple[GroupResult, ...]
    has_auto_mode: bool

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        return tuple(_flaws(self))

    @property
    def waits(self) -> bool:
        """Whether its pods fit, and not all of them at the desired sizes of the groups."""
        if self.flaws or self.has_auto_mode or self.pod.needed_on is not None:
            return False
        running = [each.at_desired for each in self.groups if each.fits]
        known = [each for each in running if each is not None]
        return len(known) == len(running) and sum(known) < (self.pod.replicas or 0)

    @property
    def fails(self) -> bool:
        """Whether something that must run surely does not."""
        return any(flaw.is_certain for flaw in self.flaws)


def judge(plan: ClusterPlan, pods: Sequence[PodShape], catalog: Catalog) -> tuple[Verdict, ...]:
    """Every workload on every node group. ``pods`` are all that share the nodes: DaemonSets take room from others."""
    return judge_on(node_shapes(plan, catalog), plan.eks, pods) if plan.eks is not None else ()


def judge_on(nodes: Sequence[NodeShape], eks: EksPlan, pods: Sequence[PodShape]) -> tuple[Verdict, ...]:
    """The same, on these nodes: one for each node group."""
    pairs = tuple(zip(after_daemons(nodes, pods), eks.node_groups, strict=True))
    return tuple(Verdict(pod, tuple(_on(pod, node, group) for node, group in pairs), eks.auto_mode) for pod in pods)


def judge_daemons(
    plan: ClusterPlan, pods: Sequence[PodShape], catalog: Catalog
) -> Iterator[tuple[PodShape, str, GroupResult]]:
    """DaemonSet, group and verdict where a group needs the DaemonSet and it does not fit."""
    for verdict in judge(plan, [pod for pod in pods if pod.kind == "DaemonSet"], catalog):
        for each in verdict.groups:
            if each.is_needed and not each.fits:
                yield verdict.pod, each.group, each


def is_needed(pod: PodShape, group: NodeGroupPlan) -> bool:
    """Whether a node of this group lacks something without the pod."""
    match pod.needed_on.nodes if pod.needed_on is not None else None:
        case "every":
            return True
        case "neuron":
            return group.machine.is_neuron
        case "efa":
            return group.machine.efa_interfaces > 0
    return False


def _on(pod: PodShape, node: NodeShape, group: NodeGroupPlan) -> GroupResult:
    if pod.kind == "DaemonSet":
        node = given_back(node, pod)
    found = misfits(pod, node)
    on_one = pods_at_once(pod, node)
    verdict = GroupResult(group.name, found, doubts_about(pod, node), is_needed(pod, group), None)
    if pod.replicas is None or on_one is None:
        return verdict
    if found or not on_one:
        return replace(verdict, at_most=0, at_desired=0)
    size = -(-pod.replicas // on_one)
    return replace(
        verdict,
        at_most=on_one * group.max,
        at_desired=on_one * group.desired,
        desired_for=size if size <= group.max else None,
    )


def _flaws(verdict: Verdict) -> Iterator[Flaw]:
    pod, groups = verdict.pod, verdict.groups
    if pod.needed_on is not None:
        for each in groups:
            if each.is_needed and not each.fits:
                words = f"{pod.workload} passes over {each.group}: {_reasons(each)}; so {pod.needed_on.without}"
                yield Flaw(words, each.group, each.surely_not, each.way)
        return
    if not any(each.fits for each in groups):
        if not verdict.has_auto_mode or pod.kind == "DaemonSet":
            certain = all(each.surely_not for each in groups)
            nearest = sorted(groups, key=lambda each: _distance(pod, each))
            way = nearest[0].way if nearest else NO_GROUP
            yield Flaw(f"{pod.workload} fits on no node group{_closest(nearest)}", None, certain, way)
    elif pod.replicas is not None and not verdict.has_auto_mode:
        yield from _too_many(pod, [each.at_most for each in groups if each.fits])


def _too_many(pod: PodShape, at_most: Sequence[int | None]) -> Iterator[Flaw]:
    """More pods than all nodes together hold at the largest sizes of their groups."""
    room = [each for each in at_most if each is not None]
    if len(room) == len(at_most) and sum(room) < (pod.replicas or 0):
        words = f"{pod.workload} is {pod.replicas} pods, and the groups that it fits on hold {sum(room)} at most"
        way = f"ask for {sum(room)} pods at most, or raise count.max of a group that it fits on"
        yield Flaw(words, None, is_certain=True, way=way)


def _distance(pod: PodShape, group: GroupResult) -> tuple[int, int]:
    """How much keeps the pod away, and how much of that is because the machines are not for it."""
    has_use = bool(pod.claims) or any(name in pod.requests for name in (NEURON, NEURON_CORE))
    weights = OF_OTHER_MACHINES if has_use else {**OF_OTHER_MACHINES, "toleration": OF_NEURON}
    return len(group.misfits), sum(weights.get(each.ask, 0) for each in group.misfits)


def _closest(ordered: Sequence[GroupResult]) -> str:
    """The groups that lack least, with what they lack."""
    said = [f"{each.group}: {_reasons(each)}" for each in ordered[:SHOWN_GROUPS]]
    more = len(ordered) - len(said)
    return f" ({'; '.join(said)}{f'; {more} others lack more' if more else ''})" if said else ""


def _reasons(group: GroupResult) -> str:
    return ", and ".join(each.reason for each in group.misfits)
