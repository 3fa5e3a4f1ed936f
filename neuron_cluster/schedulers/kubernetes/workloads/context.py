"""Where a workload runs: what the recipe of its chart starts from."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.names import EFA
from local_kubernetes.model.quantity import GIB
from local_kubernetes.model.scheduling.node import MILLICORES, NodeInfo
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.minimum_bus_bandwidth import MinimumBusBandwidth
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.workloads.device_allocation import DRA
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.sizing.host_memory import FREE_MEMORY_GIB, without_reserve

SHARED_MEMORY_PART = 4
"""Shared memory gets at most a quarter of the pod's memory, of which it is a part."""
FREE_CORES = 2
"""Left to DaemonSets of a later day, as ``FREE_MEMORY_GIB`` of the memory."""
DISK_PART = 2
"""Half of the disk that remains after images is left to logs and other pods."""


class WorkloadContext(Struct, frozen=True):
    """A Neuron group, the free allocatable of its nodes, and what was selected for it."""

    region: str
    network: NetworkPlan
    group: NodeGroupPlan
    node: NodeInfo
    """A node of the group, with its free allocatable."""
    chip: Chip
    ultraserver_sizes: tuple[int, ...]
    """Numbers of nodes that one job can span inside an UltraServer; empty for plain instances."""
    cores_at: Mapping[int, int | None]
    """Logical NeuronCores of a node by LNC; None where no source gives the number."""
    nodes: int
    front_end: str
    compiler: str | None
    """neuronx-cc of the image's SDK; None where the catalog does not have it."""
    cpu_group: NodeGroupPlan | None
    """A group without Neuron devices and taints (CPU nodes); None where the environment has none."""
    cpu_node: NodeInfo | None
    defaults: Mapping[str, Any]
    """The chart's values.yaml."""
    options: WorkloadOptions
    network_layer: str
    """The label of the narrowest network layer that Kueue places pods by; empty where the group has none."""
    drill_schedule: str
    """Schedule of restores of checkpoints; empty for none."""
    expected_failures: int
    """Failures of the nodes that are expected in a training run as long as the catalog's."""
    minimum_bus_bandwidth: MinimumBusBandwidth | None
    """The minimum for collectives between nodes of the group's type."""
    compile_memory_gib: int
    """Host memory below which the compilation of a large model may be killed."""
    machine: Mapping[str, Any]
    """The chart's ``machine`` for a whole node of the group, or the part of it that the options name."""

    def value_or_default(self, path: str) -> Any:
        """The user's own value there, else the chart's."""
        own = value_at(self.options.given, path)
        return value_at(self.defaults, path) if own is None else own


def machine_values(
    group: NodeGroupPlan,
    node: NodeInfo,
    options: WorkloadOptions,
    defaults: Mapping[str, Any],
    *,
    nodes: int,
    mode: str,
    cores_at: Mapping[int, int | None],
) -> dict[str, Any]:
    """The chart's ``machine``: a whole node, or the same share of everything as the user's ``machine.neuronDevices``.

    EFA is requested for several nodes only. Cores follow from the user's LNC; ``cores_at`` has those of a node by LNC.
    LNC is set where the instance type has several: the file on the host that has it is not in the container, and the
    compiler has a default of its own.
    """
    devices = node.free_neuron_devices
    requested = options.whole_number("machine.neuronDevices")
    part = Fraction(1) if not requested or not devices else min(Fraction(requested, devices), Fraction(1))
    user_lnc = options.whole_number("machine.logicalNcConfig")
    cores = (cores_at.get(user_lnc) if user_lnc else None) or group.machine.neuroncores or 0
    lnc = group.machine.logical_nc_config or 0
    values: dict[str, Any] = {
        "instanceType": group.machine.instance_type,
        "nodeGroup": group.name,
        "deviceManagement": mode,
        "ultraServerMode": 1 if mode == DRA and node.is_ultraserver and part == 1 else 0,
        "neuronDevices": requested or devices,
        "neuronCores": int(cores * (Fraction(requested, devices) if requested and devices else 1)),
        "logicalNcConfig": lnc if len(cores_at) > 1 else 0,
        "efaInterfaces": int(node.count_of(EFA) * part) if nodes > 1 else 0,
        **processor_and_memory(node, part),
        "hugepages2MiGib": 0,
    }
    shared = value_at(defaults, "machine.sharedMemoryGib")
    if isinstance(shared, int):
        values["sharedMemoryGib"] = max(min(shared, values["memoryGib"] // SHARED_MEMORY_PART), 1)
    scratch = value_at(defaults, "machine.scratchGib")
    if isinstance(scratch, int):
        disk = int((node.storage_gib or scratch) * part)
        values["scratchGib"] = max(min(scratch, disk // DISK_PART), 1)
    return values


def processor_and_memory(node: NodeInfo, part: Fraction) -> dict[str, Any]:
    """``cpu`` and ``memoryGib``, rounded down; 1 of each where the node has less, and the pod does not fit.

    A share of the node is left free: a DaemonSet that is added or updated would be Pending on a full node, or as
    ``system-node-critical`` evict the job (https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/).
    """
    cores = without_reserve(node.allocatable.get("cpu", 0), FREE_CORES * MILLICORES) // MILLICORES
    memory = without_reserve(node.allocatable.get("memory", 0), FREE_MEMORY_GIB * GIB) // GIB
    return {"cpu": str(max(int(cores * part), 1)), "memoryGib": max(int(memory * part), 1)}
