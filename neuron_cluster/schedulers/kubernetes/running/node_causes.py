"""The node group of the release has no nodes, too few of them, or nodes that are not Ready."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from local_kubernetes.model.fields import at, text
from local_kubernetes.model.names import GROUP_LABEL
from local_kubernetes.model.objects import labels_of
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.running.cause import Cause, Stage
from neuron_cluster.schedulers.kubernetes.running.cluster_state import Object, conditions_of, name_of, place_of
from neuron_cluster.schedulers.kubernetes.running.situation import PENDING, Situation, is_terminating, node_of, phase_of

OUT_OF_SERVICE = "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
"""https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown."""
DISK_CONDITIONS = ("DiskPressure", "MemoryPressure", "PIDPressure", "NetworkUnavailable")


def node_causes(situation: Situation) -> Iterator[Cause]:
    release, state = situation.release, situation.state
    if not state.may_read("nodes"):
        return
    yield from _lost_nodes(situation)
    waiting = [pod for pod in release.pods if phase_of(pod) == PENDING and not node_of(pod)]
    if waiting:
        for group in release.groups:
            yield from _of_group(group, len(waiting), situation)


def nodes_of(group: str, situation: Situation) -> list[Object]:
    return [body for body in situation.state.of_kind("Node") if labels_of(body).get(GROUP_LABEL) == group]


def is_ready(node: Object) -> bool:
    ready = conditions_of(node).get("Ready")
    return ready is not None and ready.is_true


def _of_group(group: str, waiting: int, situation: Situation) -> Iterator[Cause]:
    nodes = nodes_of(group, situation)
    for node in nodes:
        if not is_ready(node):
            yield _not_ready(node, situation)
    usable = [node for node in nodes if is_ready(node) and at(node, "spec", "unschedulable") is not True]
    plan = situation.environment.groups.get(group)
    if usable and len(nodes) >= waiting:
        return
    if plan is not None and (block := _block(plan, situation)) is not None:
        yield block
    elif not nodes or not usable:
        yield _too_few(group, plan, len(nodes), waiting, situation)


def _not_ready(node: Object, situation: Situation) -> Cause:
    conditions = conditions_of(node)
    ready = conditions.get("Ready")
    pressure = [conditions[each].text for each in DISK_CONDITIONS if each in conditions and conditions[each].is_true]
    texts = [ready.text if ready is not None else "no condition Ready", *pressure]
    return Cause(
        stage=Stage.NODES,
        about=place_of(node),
        seen="; ".join(texts),
        means="the node is NotReady: no pod is placed on it, and its pods are evicted",
        do=(f"`{situation.kubectl} describe node {name_of(node)}`", "node repair replaces it where the group has it"),
        since=ready.since if ready is not None else None,
    )


def _too_few(group: str, plan: NodeGroupPlan | None, nodes: int, waiting: int, situation: Situation) -> Cause:
    environment = situation.environment
    scale = f"set count.desired of {group} in {environment.key} to at least {waiting}, then: "
    do = f"{scale}`neuron-cluster deploy {environment.environment}`"
    limits = f" (file: count.desired {plan.desired}, maximum {_maximum(plan)})" if plan is not None else ""
    if environment.autoscaler is not None:
        do = f"see whether {environment.autoscaler} starts nodes: `{situation.here} describe pod`, events at the end"
    return Cause(
        stage=Stage.NODES,
        about=f"node group {group}",
        seen=f"{nodes} nodes, {waiting} pods without a node{limits}",
        means="no node of the group can take a pod: it is scaled to 0, its instances do not start, or all are cordoned",
        do=(
            do,
            "see the activity of its Auto Scaling group, and `neuron-cluster capacity --help`",
        ),
    )


def _maximum(plan: NodeGroupPlan) -> str:
    return str(plan.max) if plan.has_limit else "no limit"


def _block(plan: NodeGroupPlan, situation: Situation) -> Cause | None:
    """The capacity block of the group has not begun, or is over."""
    purchase, now = plan.machine.purchase, situation.state.now
    starts, ends = _moment(purchase.starts), _moment(purchase.ends)
    if starts is not None and now < starts:
        seen, means = f"starts {purchase.starts}", "the capacity block has not begun: EC2 starts no instance before"
        do = "wait; the node group is scaled when the block begins"
    elif ends is not None and now > ends:
        seen, means = f"ended {purchase.ends}", "the capacity block is over: its instances were terminated"
        do = "buy another block: `neuron-cluster capacity --help`"
    else:
        return None
    about = f"capacity block of node group {plan.name}"
    return Cause(stage=Stage.NODES, about=about, seen=seen, means=means, do=(do,))


def _moment(time: str | None) -> datetime | None:
    if time is None:
        return None
    moment = datetime.fromisoformat(time)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _lost_nodes(situation: Situation) -> Iterator[Cause]:
    """Pods that stay Terminating because their node does not report."""
    nodes = {name_of(body): body for body in situation.state.of_kind("Node")}
    for pod in situation.release.pods:
        node = nodes.get(node_of(pod))
        if not node_of(pod) or (node is not None and is_ready(node)):
            continue
        if is_terminating(pod):
            yield Cause(
                stage=Stage.NODES,
                about=place_of(pod),
                seen=f"Terminating on node {node_of(pod)}, which {'is NotReady' if node is not None else 'is gone'}",
                means="the pod ends only when its Node object is deleted; no controller replaces it before",
                do=(f"where the machine is off: `{situation.kubectl} taint nodes {node_of(pod)} {OUT_OF_SERVICE}`",),
                since=text(at(pod, "metadata", "deletionTimestamp")),
            )
        elif node is not None:
            yield _not_ready(node, situation)
