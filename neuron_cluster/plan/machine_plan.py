"""One kind of instance, completely decided, in EC2's words, for whatever runs it."""

from __future__ import annotations

import enum

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class SecurityGroupRole(enum.StrEnum):
    """The part that a security group plays. The network stack has one of each but ``CLUSTER``; ``EFS`` where
    a file system has mount targets, ``HYPERPOD`` where an interface has it, ``TRAINING`` with training jobs."""

    CLUSTER = "cluster"
    CONTROL_PLANE = "control-plane"
    NODE = "node"
    EFA = "efa"
    STORAGE_CLIENT = "storage-client"
    LUSTRE = "lustre"
    KUBECTL = "kubectl"
    ENDPOINT = "endpoint"
    WORKSTATION = "workstation"
    EFS = "efs"
    HYPERPOD = "hyperpod"
    TRAINING = "training"


class InterfacePlan(Struct, frozen=True):
    """One network interface of a launch template, in EC2's words."""

    network_card_index: int
    device_index: int
    interface_type: str
    """``interface``, ``efa`` or ``efa-only``."""
    groups: tuple[SecurityGroupRole, ...]

    @property
    def has_address(self) -> bool:
        """Whether it takes an IPv4 address of its subnet."""
        return self.interface_type != "efa-only"


class VolumePlan(Struct, frozen=True):
    """The encrypted gp3 root volume."""

    device_name: str
    size_gib: int
    iops: int
    throughput_mibps: int


class LocalDisksPlan(Struct, frozen=True):
    """The instance's own NVMe disks as one file system, with kubelet, containerd and pod logs on it."""

    count: int | None
    """None where no source has the number."""
    total_gb: int | None


class PurchaseOptionPlan(Struct, frozen=True):
    """How the instances are bought."""

    kind: str
    """``on_demand``, ``spot`` or ``capacity_block``; a reservation is bought on demand."""
    market_type: str | None
    """InstanceMarketOptions.MarketType, or none: for Spot Instances the service that launches them sets it."""
    reservation_id: str | None
    resource_group_arn: str | None = None
    """The resource group of reservations that launches target instead of a single reservation."""
    reservation_preference: str | None = None
    """CapacityReservationPreference, where no reservation is targeted; EC2 rejects it beside a target."""
    starts: str | None = None
    """When the capacity block begins, as written; no template holds it."""
    ends: str | None = None

    @property
    def is_block(self) -> bool:
        """Whether the instances run in a capacity block."""
        return self.kind == "capacity_block"

    @property
    def is_reserved(self) -> bool:
        """Whether the instances run where capacity is already kept: it decides their place."""
        return any((self.reservation_id, self.resource_group_arn, self.reservation_preference))


class MachinePlan(Struct, frozen=True):
    """The content of a launch template without the image and what runs at first boot."""

    path: KeyPath
    instance_type: str
    is_neuron: bool
    interfaces: tuple[InterfacePlan, ...]
    placement_strategy: str | None
    purchase: PurchaseOptionPlan
    root_volume: VolumePlan | None
    """None where the service that starts the instances decides it."""
    logical_nc_config: int | None
    hourly_usd: float | None
    """Reference on-demand price of one instance in this Region, USD per hour; none when not known."""
    local_disks: LocalDisksPlan | None = None
    """None where the instance has no local disks, or where they are not configured."""
    neuroncores: int | None = None
    """``aws.amazon.com/neuroncore`` of one node, at its LNC; none where no source has it."""

    def require_root_volume(self) -> VolumePlan:
        """The root volume of a launch template. Raises ``LookupError`` where the service decides it."""
        if self.root_volume is None:
            raise LookupError(f"the service of {self.instance_type} decides its root volume")
        return self.root_volume

    @property
    def efa_interfaces(self) -> int:
        """Interfaces with EFA, of either kind."""
        return sum(i.interface_type != "interface" for i in self.interfaces)

    @property
    def addresses(self) -> int:
        """IPv4 addresses that one instance uses in its subnet before any pod runs."""
        return sum(i.has_address for i in self.interfaces)
