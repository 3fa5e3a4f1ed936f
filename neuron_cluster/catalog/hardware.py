"""Facts about instance types, Neuron chips and what their nodes have."""

from __future__ import annotations

from neuron_cluster.catalog import (
    chip,
    instance_type,
    interface_layout,
    minimum_bus_bandwidth,
    network_topology,
    node_allocatable,
    node_repair,
    pod_device_counts,
)
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.interface_layout import InterfaceLayout
from neuron_cluster.catalog.minimum_bus_bandwidth import MinimumBusBandwidth
from neuron_cluster.catalog.network_topology import NetworkTopology
from neuron_cluster.catalog.node_allocatable import NodeAllocatable
from neuron_cluster.catalog.node_repair import NodeRepair
from neuron_cluster.catalog.pod_device_counts import PodDeviceCounts


class HardwareFacts:
    """Queries of these rows; ``Catalog`` has them all."""

    def instance_type(self, name: str) -> InstanceType | None:
        return instance_type.instance_type(name)

    @property
    def instance_types(self) -> tuple[InstanceType, ...]:
        return tuple(instance_type.instance_types().values())

    def similar_instance_types(self, name: str) -> list[str]:
        return instance_type.similar_instance_types(name)

    def interface_layout(self, name: str) -> InterfaceLayout:
        """Unlike the others, an unknown name raises LookupError: the model of the file knows the same names."""
        return interface_layout.interface_layout(name)

    @property
    def interface_layouts(self) -> tuple[InterfaceLayout, ...]:
        return tuple(interface_layout.interface_layouts().values())

    def network_topology_of(self, instance_type: str) -> NetworkTopology | None:
        """The labels of nodes of this type that name their place in the network."""
        return network_topology.network_topology_of(instance_type)

    @property
    def network_topologies(self) -> tuple[NetworkTopology, ...]:
        return tuple(network_topology.network_topologies().values())

    def pod_device_counts(self, instance_type: str) -> tuple[int, ...]:
        """Numbers of connected devices that a pod on a node of this type can have; empty without a restriction."""
        return pod_device_counts.pod_device_counts(instance_type)

    @property
    def all_pod_device_counts(self) -> tuple[PodDeviceCounts, ...]:
        return tuple(pod_device_counts.all_pod_device_counts().values())

    @property
    def node_repairs(self) -> tuple[NodeRepair, ...]:
        """The repair actions for a Neuron node that reports one of these reasons."""
        return tuple(node_repair.node_repairs().values())

    def node_allocatable(self, ami_type: str) -> NodeAllocatable | None:
        """The allocatable resources of nodes with this AMI type."""
        return node_allocatable.node_allocatable(ami_type)

    def node_allocatable_of_type(self, row: InstanceType) -> NodeAllocatable | None:
        """The allocatable resources of nodes of this instance type with its own image of EKS."""
        return node_allocatable.node_allocatable(row.eks_ami_type) if row.eks_ami_type is not None else None

    @property
    def node_allocatables(self) -> tuple[NodeAllocatable, ...]:
        return tuple(node_allocatable.node_allocatables().values())

    def minimum_bus_bandwidth(self, instance_type: str) -> MinimumBusBandwidth | None:
        """The minimum bus bandwidth of collectives between nodes of this type."""
        return minimum_bus_bandwidth.minimum_bus_bandwidth(instance_type)

    @property
    def minimum_bus_bandwidths(self) -> tuple[MinimumBusBandwidth, ...]:
        return tuple(minimum_bus_bandwidth.minimum_bus_bandwidths().values())

    def chip(self, name: str) -> Chip | None:
        return chip.chip(name)

    @property
    def chips(self) -> tuple[Chip, ...]:
        return tuple(chip.chips().values())
