"""The chart's ``machine``: what one pod takes, so that a node is filled and nothing is asked twice."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from neuron_cluster.chart_values import value_at
from neuron_cluster.kubernetes.names import EFA
from neuron_cluster.plan.cluster_plan import NodeGroupPlan, TaintPlan
from neuron_cluster.workloads.device_way import DRA
from neuron_cluster.workloads.node_room import NodeRoom
from neuron_cluster.workloads.options import WorkloadOptions

SHARED_MEMORY_PART = 4
"""Shared memory gets at most a quarter of the pod's memory, as which it counts."""
DISK_PART = 2
"""Half of the disk that images leave stays for logs and other pods."""


def machine_values(
    group: NodeGroupPlan,
    room: NodeRoom,
    wish: WorkloadOptions,
    defaults: Mapping[str, Any],
    *,
    nodes: int,
    way: str,
    cores_at: Mapping[int, int | None],
) -> dict[str, Any]:
    """A whole node, or as much of everything as the user's own ``machine.neuronDevices`` is of its devices.

    EFA is asked for only where nodes talk to each other. Cores follow from the user's own LNC; ``cores_at``
    holds those of a node by LNC. LNC is left unset where the chip knows only one, and where it is 1 of a node: a claim
    says it, for a DRA driver sets it anew for each.
    """
    devices = room.chips
    asked = wish.whole_number("machine.neuronDevices")
    part = Fraction(1) if not asked or not devices else min(Fraction(asked, devices), Fraction(1))
    own_lnc = wish.whole_number("machine.logicalNcConfig")
    cores = (cores_at.get(own_lnc) if own_lnc else None) or group.machine.neuroncores or 0
    lnc = group.machine.logical_nc_config or 0
    values: dict[str, Any] = {
        "instanceType": group.machine.instance_type,
        "nodeGroup": group.name,
        "deviceManagement": way,
        "ultraServerMode": 1 if way == DRA and room.node.is_ultraserver and part == 1 else 0,
        "neuronDevices": asked or devices,
        "neuronCores": int(cores * (Fraction(asked, devices) if asked and devices else 1)),
        "logicalNcConfig": lnc if lnc > 1 or (way == DRA and len(cores_at) > 1) else 0,
        "efaInterfaces": int(room.of(EFA) * part) if nodes > 1 else 0,
        **processor_and_memory(room, part),
        "hugepages2MiGib": 0,
    }
    usual_shared = value_at(defaults, "machine.sharedMemoryGib")
    if isinstance(usual_shared, int):
        values["sharedMemoryGib"] = max(min(usual_shared, values["memoryGib"] // SHARED_MEMORY_PART), 1)
    usual_scratch = value_at(defaults, "machine.scratchGib")
    if isinstance(usual_scratch, int):
        disk = int((room.disk_gib or usual_scratch) * part)
        values["scratchGib"] = max(min(usual_scratch, disk // DISK_PART), 1)
    return values


def processor_and_memory(room: NodeRoom, part: Fraction) -> dict[str, Any]:
    """``cpu`` and ``memoryGib``, rounded down; one of each where the node has less, which then does not fit."""
    cores, memory = int((room.cores or 0) * part), int((room.memory_gib or 0) * part)
    return {"cpu": str(max(cores, 1)), "memoryGib": max(memory, 1)}


def tolerations_of(taints: tuple[TaintPlan, ...]) -> list[dict[str, str]]:
    """One for each taint of the group."""
    return [
        {"key": taint.key, "effect": taint.kubernetes_effect}
        | ({"operator": "Equal", "value": taint.value} if taint.value else {"operator": "Exists"})
        for taint in taints
    ]
