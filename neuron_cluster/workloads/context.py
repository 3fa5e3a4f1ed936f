"""Where a workload will run, once that is decided: what the recipe of its chart starts from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.minimum_bus_bandwidth import MinimumBusBandwidth
from neuron_cluster.chart_values import value_at
from neuron_cluster.plan.cluster_plan import NodeGroupPlan
from neuron_cluster.plan.network_plan import NetworkPlan
from neuron_cluster.workloads.node_room import NodeRoom
from neuron_cluster.workloads.options import WorkloadOptions


class WorkloadContext(Struct, frozen=True):
    """A Neuron group, what one of its nodes has left, and what was chosen for it."""

    region: str
    network: NetworkPlan
    group: NodeGroupPlan
    room: NodeRoom
    chip: Chip
    ultraserver_sizes: tuple[int, ...]
    """Numbers of nodes that one job can span inside an UltraServer; empty for plain machines."""
    cores_at: Mapping[int, int | None]
    """Logical NeuronCores of a node by LNC; a number that nobody knows is None."""
    nodes: int
    front_end: str
    compiler: str | None
    """neuronx-cc of the image's SDK; None when the catalog does not know it."""
    side_group: NodeGroupPlan | None
    """A group without taints for what needs no device; None when there is none."""
    side_room: NodeRoom | None
    defaults: Mapping[str, Any]
    """The chart's values.yaml."""
    wish: WorkloadOptions
    floor: MinimumBusBandwidth | None
    """Of collectives between nodes of the group's type."""
    machine: Mapping[str, Any]
    """The chart's ``machine`` for a whole node of the group, or the part of it that the wish names."""

    def wished_or_default(self, path: str) -> Any:
        """The user's own value there, else the chart's."""
        own = value_at(self.wish.given, path)
        return value_at(self.defaults, path) if own is None else own
