"""A compute group: instances of one kind that one provider runs, with the defaults of its absent keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from msgspec import Struct

from neuron_cluster.config.capacity import CapacityBlock, Reservation, UltraserverBlock
from neuron_cluster.config.machine import EfaLayout, LocalDisks, Placement
from neuron_cluster.resolved.neuron_host import NeuronHost

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.endpoint import EndpointService
    from neuron_cluster.catalog.instance_type import InstanceType
    from neuron_cluster.config.capacity import Capacity
    from neuron_cluster.config.machine import RootVolume
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.config.workstation import Workstation
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.resolved.machine_image import MachineImage
    from neuron_cluster.resolved.root_volume import ResolvedRootVolume
    from neuron_cluster.resolved.scaling import Scaling

CAPACITY_DISPLAY_NAMES = {
    "on_demand": "on-demand capacity",
    "spot": "spot capacity",
    "reservation": "a reservation",
    "capacity_block": "a capacity block",
    "ultraserver_block": "a block of UltraServers",
}


class InstanceCounts(Protocol):
    """Numbers of instances of a group, as the file gives them."""

    @property
    def min(self) -> int: ...

    @property
    def desired(self) -> int: ...

    @property
    def max(self) -> int: ...


class GroupSpec(Protocol):
    """A group as the file gives it, without the defaults; a key that its provider does not have is None."""

    @property
    def instance_type(self) -> str: ...

    @property
    def count(self) -> InstanceCounts: ...

    @property
    def capacity(self) -> Capacity | Any:
        """How its instances are bought; a provider may have kinds of its own."""
        ...

    @property
    def availability_zone(self) -> str | None: ...

    @property
    def placement(self) -> Placement | None: ...

    @property
    def efa(self) -> EfaLayout | None: ...

    @property
    def logical_nc_config(self) -> int | None: ...

    @property
    def local_disks(self) -> LocalDisks | None: ...

    @property
    def root_volume(self) -> RootVolume | None: ...


class ComputeGroup(Struct, frozen=True):
    """Common to all: a node group, a compute node group, a workstation, later a Batch environment."""

    noun: ClassVar[str] = "compute group"
    """The noun of its provider for such a group."""
    machine_noun: ClassVar[str] = "machine"
    waits_for_block: ClassVar[bool] = False
    """Whether its service starts instances of a capacity block only while the block is active."""
    is_sold_by_ec2: ClassVar[bool] = True
    """Whether EC2 sells its instances to the account: with zones, purchase options and prices of EC2."""
    seller: ClassVar[str] = "EC2"
    """The service that sells its instances, as messages name it."""

    path: KeyPath
    name: str
    provider: str
    """Key of the section of the file that the group is in."""
    spec: GroupSpec | Workstation
    """As the file gives it, without the defaults."""
    instance_type: InstanceType | None
    """None when the catalog does not know it (rule E3001)."""
    zone_ids: tuple[str, ...]
    """Availability Zone ids in which its instances may start."""
    scaling: Scaling
    image: MachineImage | None = None
    """None where the catalog does not know it."""
    root_volume: ResolvedRootVolume | None = None
    """None where neither the file, the instance type nor the image has its size."""
    team: str | None = None
    queue: str | None = None

    @property
    def is_neuron(self) -> bool:
        return self.instance_type is not None and self.instance_type.chip is not None

    @property
    def is_workstation(self) -> bool:
        return self.provider == "workstations"

    @property
    def capacity(self) -> Capacity:
        """How its instances are bought."""
        return self.spec.capacity

    @property
    def capacity_display_name(self) -> str:
        """The capacity of the group, to be read after ``runs in``."""
        return CAPACITY_DISPLAY_NAMES[self.capacity.kind]

    @property
    def is_reserved(self) -> bool:
        """Whether it runs in capacity that is already somewhere: a reservation or a capacity block."""
        return isinstance(self.capacity, (Reservation, CapacityBlock, UltraserverBlock))

    @property
    def reservation_id(self) -> str | None:
        """The reservation or capacity block that it names; None where it names a resource group or nothing."""
        if isinstance(self.capacity, (Reservation, CapacityBlock, UltraserverBlock)):
            return self.capacity.reservation_id
        return None

    @property
    def block(self) -> CapacityBlock | UltraserverBlock | None:
        """The capacity block that it runs in, if any."""
        return self.capacity if isinstance(self.capacity, (CapacityBlock, UltraserverBlock)) else None

    @property
    def logical_nc_config(self) -> int | None:
        """LNC of its instance type; None where the chip has no choice."""
        return self.instance_type.default_logical_nc_config if self.instance_type is not None else None

    def pinned_ami(self, lock: Lock | None) -> str | None:  # noqa: ARG002 - kinds of groups with AMI ids use it
        """The AMI id of the file, else of the lock; None where its service chooses the image."""
        return None

    def neuron_host(self, instance_type: InstanceType, catalog: Catalog, lock: Lock | None) -> NeuronHost:  # noqa: ARG002 - kinds of groups that know their image use both
        """The group as a host of Neuron software; here of an image that nothing names."""
        return NeuronHost(
            (*self.path, "instance_type"), self.name, instance_type, "an image without a known driver", None
        )


class ClusterGroup(ComputeGroup, frozen=True):
    """A group that a provider scales: its instances share a network, a placement and jobs."""

    endpoint_user: ClassVar[str] = "nodes"
    """The name of its instances in ``required_by`` of VPC endpoints (``catalog.endpoint``)."""

    spec: GroupSpec

    @classmethod
    def needs_endpoint(cls, service: EndpointService) -> bool:
        """Whether its instances never get ready in a network without NAT and without this endpoint."""
        return cls.endpoint_user in service.required_by

    @property
    def has_lnc_key(self) -> bool:
        """Whether the file may give its logical NeuronCore configuration."""
        return _has_key(self.spec, "logical_nc_config")

    @property
    def largest_count_key(self) -> str:
        """The key of ``count`` with its largest number of instances."""
        return "max" if _has_key(self.spec.count, "max") else "desired"

    @property
    def efa_layout(self) -> EfaLayout:
        """The EFA interfaces of its instances: as given, else ``efa`` where the instance type has them."""
        if self.instance_type is None or not self.instance_type.efa_interfaces:
            return EfaLayout.OFF
        return self.spec.efa or EfaLayout.EFA

    @property
    def has_efa(self) -> bool:
        return self.efa_layout is not EfaLayout.OFF

    @property
    def placement(self) -> Placement:
        """As given, else a cluster placement group with EFA.

        A reservation or block already has its place: a placement group would leave part of it unused.
        """
        by_default = Placement.CLUSTER if self.has_efa and not self.is_reserved else Placement.NONE
        return self.spec.placement or by_default

    @property
    def in_placement_group(self) -> bool:
        return self.placement is Placement.CLUSTER

    @property
    def local_disks(self) -> LocalDisks:
        """As given, else ``raid0`` where the instance type has local disks and the image joins them."""
        has_disks = self.instance_type is not None and bool(self.instance_type.local_disk_count)
        by_default = has_disks and self.image is not None and self.image.joins_local_disks
        return self.spec.local_disks or (LocalDisks.RAID0 if by_default else LocalDisks.NONE)

    @property
    def logical_nc_config(self) -> int | None:
        """LNC as given, else that of the instance type; None where the chip has no choice."""
        return self.spec.logical_nc_config or super().logical_nc_config


Group = TypeVar("Group", bound=ClusterGroup)


def lnc_key_first(group: Group, other: Group) -> tuple[Group, Group]:
    """Returns both groups; first the one whose LNC the file may give, where only the other one has the key."""
    return (other, group) if other.has_lnc_key and not group.has_lnc_key else (group, other)


def _has_key(model: object, name: str) -> bool:
    """Whether a model has a field of this name; a provider may answer for a key that its file does not have."""
    return name in getattr(type(model), "model_fields", ())
