"""Whether a node has the devices that a pod claims: the scheduler's plugin DynamicResources, asked offline.

https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_cluster.kubernetes.names import INSTANCE_TYPE_LABEL
from neuron_cluster.schedule.device_claim import ClaimedDevices
from neuron_cluster.schedule.misfit import Ask, UnschedulableReason
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape

MAY_BE_THERE = "it may be in the cluster already"
CHIPS_OF_ULTRASERVER = (
    "no source says that the driver hands out the chips of an UltraServer's nodes one by one; AWS's samples claim "
    "the node whole (resourceType neuron_node)"
)


def claim_misfits(pod: PodShape, node: NodeShape) -> Iterator[UnschedulableReason]:
    """What of the claims the node cannot give. One made from an object that is not at hand is a doubtful misfit."""
    for claim in pod.claims:
        if claim.missing is not None:
            words = f"its claim {claim.name} is made from {claim.missing}, which is not among these objects"
            way = f"put {claim.missing} among the objects, unless the cluster has it"
            yield UnschedulableReason(words, "instance_type", "claim", way, MAY_BE_THERE)
    for name, devices in _by_class(pod).items():
        if name not in node.claimable:
            wish = ", ".join(each.words for each in devices)
            words = f"it claims {wish}, which no driver publishes on the nodes"
            ask: Ask = "claim" if node.claimable else "resource"
            yield UnschedulableReason(words, "instance_type", ask, _published(node))
        else:
            yield from _too_much(devices, node)


def claim_doubts(pod: PodShape, node: NodeShape) -> Iterator[str]:
    for claim in pod.claims:
        yield from (f"claim {claim.name}: {doubt}" for doubt in claim.doubts)
        for each in claim.devices:
            if each.device_class in node.claimable and node.claimable[each.device_class] is None:
                yield f"claim {claim.name}: no source says how many devices the nodes have"
            if each.unit == "device" and each.device_class in node.claimable and node.is_ultraserver:
                yield f"claim {claim.name}: {CHIPS_OF_ULTRASERVER}"


def pods_by_claims(pod: PodShape, node: NodeShape) -> list[int]:
    """For each device class that is counted, how many such pods one node can serve."""
    counts = []
    for name, devices in _by_class(pod).items():
        has, asked = node.claimable.get(name), sum(each.count or 0 for each in devices if each.unit == "device")
        if any(each.count is None or each.unit == "node" for each in devices):
            counts.append(1)
        elif has is not None and asked:
            counts.append(has // asked)
    return counts


def _too_much(devices: list[ClaimedDevices], node: NodeShape) -> Iterator[UnschedulableReason]:
    is_type = node.labels.get(INSTANCE_TYPE_LABEL)
    for each in devices:
        if each.instance_type is not None and is_type is not None and each.instance_type != is_type:
            words = f"its claim wants devices of {each.instance_type}, the nodes are {is_type}"
            yield UnschedulableReason(words, "instance_type", "claim", f"let its claim select devices of {is_type}")
    nodes = sum(each.count or 0 for each in devices if each.unit == "node")
    if nodes and not node.is_ultraserver:
        words, way = "it claims a whole node of an UltraServer, and the nodes are of none", "claim single devices"
        yield UnschedulableReason(words, "instance_type", "claim", way)
    elif nodes > 1:
        words, way = f"it claims {nodes} whole nodes, and a pod runs on one", "claim one whole node, and run more pods"
        yield UnschedulableReason(words, "instance_type", "claim", way)
    has, asked = (
        node.claimable[devices[0].device_class],
        sum(each.count or 0 for each in devices if each.unit == "device"),
    )
    if has is not None and asked > has:
        words = f"it claims {asked} of device class {devices[0].device_class}, a node has {has}"
        yield UnschedulableReason(words, "instance_type", "claim", f"claim {has} of it at most")


def _published(node: NodeShape) -> str:
    if node.claimable:
        return f"claim device class {' or '.join(node.claimable)}"
    return "ask for devices as resources: no driver there publishes any to claims"


def _by_class(pod: PodShape) -> Mapping[str, list[ClaimedDevices]]:
    found: dict[str, list[ClaimedDevices]] = {}
    for claim in pod.claims:
        for each in claim.devices:
            found.setdefault(each.device_class, []).append(each)
    return found
