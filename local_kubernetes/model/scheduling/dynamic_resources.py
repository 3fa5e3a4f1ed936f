"""kube-scheduler's plugin DynamicResources: whether a node has the devices that a pod claims (DRA).

https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from local_kubernetes.model.names import EFA, EFA_CLASS, INSTANCE_TYPE_LABEL
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import ClaimedDevices, PodInfo
from local_kubernetes.model.scheduling.reasons import Constraint, UnschedulableReason

MAY_EXIST = "it may exist in the cluster already"
DEVICES_OF_ULTRASERVER = (
    "no source states that the driver allocates single Neuron devices of an UltraServer's nodes; AWS's samples claim "
    "the node whole (resourceType neuron_node)"
)


def dynamic_resources(pod: PodInfo, node: NodeInfo) -> Iterator[UnschedulableReason]:
    """Yields a reason for each claim that the node cannot provide. A claim made from an absent object is in doubt."""
    for claim in pod.claims:
        if claim.missing is not None:
            message = f"its claim {claim.name} references {claim.missing}, which is not among these objects"
            hint = f"add {claim.missing} to the objects, unless the cluster has it"
            yield UnschedulableReason(message, "instance_type", "claim", hint, MAY_EXIST)
    for name, devices in _by_class(pod).items():
        if name not in node.claimable:
            message = f"claims {', '.join(each.text for each in devices)}, which no driver publishes on the nodes"
            constraint: Constraint = "claim" if node.claimable else "resource"
            yield UnschedulableReason(message, "instance_type", constraint, _instead_of(devices, node))
        else:
            yield from _too_much(devices, node)


def claim_doubts(pod: PodInfo, node: NodeInfo) -> Iterator[str]:
    for claim in pod.claims:
        yield from (f"claim {claim.name}: {doubt}" for doubt in claim.doubts)
        for each in claim.devices:
            if each.device_class in node.claimable and node.claimable[each.device_class] is None:
                yield f"claim {claim.name}: no source states how many devices the nodes have"
            if each.unit == "device" and each.device_class in node.claimable and node.is_ultraserver:
                yield f"claim {claim.name}: {DEVICES_OF_ULTRASERVER}"


def pods_by_claims(pod: PodInfo, node: NodeInfo) -> list[int]:
    """Returns the number of such pods that one node can serve, for each device class that is counted."""
    counts = []
    for name, devices in _by_class(pod).items():
        free, claimed = node.claimable.get(name), _single_devices(devices)
        if any(each.count is None or each.unit == "node" for each in devices):
            counts.append(1)
        elif free is not None and claimed:
            counts.append(free // claimed)
    return counts


def _too_much(devices: Sequence[ClaimedDevices], node: NodeInfo) -> Iterator[UnschedulableReason]:
    node_type = node.labels.get(INSTANCE_TYPE_LABEL)
    for each in devices:
        if each.instance_type is not None and node_type is not None and each.instance_type != node_type:
            message = f"its claim selects devices of {each.instance_type}, but the nodes are {node_type}"
            hint = f"let its claim select devices of {node_type}"
            yield UnschedulableReason(message, "instance_type", "claim", hint)
    nodes = sum(each.count or 0 for each in devices if each.unit == "node")
    if nodes and not node.is_ultraserver:
        message = "claims a whole node of an UltraServer, but the nodes are not part of one"
        yield UnschedulableReason(message, "instance_type", "claim", "claim single devices")
    elif nodes > 1:
        message = f"claims {nodes} whole nodes, but a pod runs on one"
        yield UnschedulableReason(message, "instance_type", "claim", "claim one whole node, and run more pods")
    free, claimed = node.claimable[devices[0].device_class], _single_devices(devices)
    if free is not None and claimed > free:
        message = f"claims {claimed} of device class {devices[0].device_class}, but a node has {free}"
        yield UnschedulableReason(message, "instance_type", "claim", f"claim {free} of it at most")


def _single_devices(devices: Sequence[ClaimedDevices]) -> int:
    return sum(each.count or 0 for each in devices if each.unit == "device")


def _instead_of(devices: Sequence[ClaimedDevices], node: NodeInfo) -> str:
    """Returns the hint for devices of a class that no driver publishes on the nodes: another claim or request."""
    if devices[0].device_class == EFA_CLASS:
        has = node.count_of(EFA)
        wanted = sum(has if each.count is None else each.count for each in devices)
        if not has:
            return f"leave out the claim of {EFA_CLASS}: the nodes have no EFA interfaces"
        return f"request {EFA}: {min(wanted, has)} in place of the claim: the device plugin of EFA publishes them"
    if node.claimable:
        return f"claim device class {' or '.join(node.claimable)}"
    return "request devices as resources: no driver on the nodes publishes any to claims"


def _by_class(pod: PodInfo) -> Mapping[str, list[ClaimedDevices]]:
    found: dict[str, list[ClaimedDevices]] = {}
    for claim in pod.claims:
        for each in claim.devices:
            found.setdefault(each.device_class, []).append(each)
    return found
