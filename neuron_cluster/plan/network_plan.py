"""The network, every address decided."""

from __future__ import annotations

import enum

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath

NO_ROUTE = "none"
"""Default route of a subnet that has none."""


class SubnetTier(enum.Enum):
    """The use of a subnet."""

    PRIVATE = "private"
    """Nodes, control plane, endpoints, file systems; one a zone. To the internet through NAT, or not at all."""
    PUBLIC = "public"
    """NAT gateways and internet-facing load balancers; one a zone, none without NAT."""
    SECONDARY = "secondary"
    """A further address range of the VPC, for nodes alone; it has the routes of the private subnet of its zone."""


class SubnetOrigin(enum.Enum):
    """Where a subnet comes from."""

    CREATED = "created"
    """The network stack creates it."""
    EXISTING = "existing"
    """It belongs to a VPC that exists: a stack refers to it and creates nothing."""


class SubnetPlan(Struct, frozen=True):
    """One subnet."""

    path: KeyPath
    """Key of the file that enables it."""
    zone_id: str
    tier: SubnetTier
    cidr: str
    origin: SubnetOrigin = SubnetOrigin.CREATED
    subnet_id: str | None = None
    """Of a subnet that exists."""
    route: str | None = None
    """Default route of a subnet that exists, as the lock spells it."""

    @property
    def identity(self) -> str:
        """The value that another subnet in its place does not have."""
        return self.subnet_id or self.cidr


class ZonePlan(Struct, frozen=True):
    """One availability zone."""

    path: KeyPath
    zone_id: str
    has_nat_gateway: bool
    nat_zone_id: str | None
    """Zone whose NAT gateway the private subnet uses."""
    holds_control_plane: bool
    """The control plane can have its interfaces here (the service rejects a few zones)."""


class EndpointPlan(Struct, frozen=True):
    """One VPC endpoint."""

    service: str
    """Name without prefix: ``ecr.api``."""
    service_name: str
    """In full: ``com.amazonaws.us-west-2.ecr.api``."""
    is_gateway: bool
    reason: str
    """What it is for, as the catalog has it."""
    called_by: tuple[str, ...] = ()
    """What of the environment calls it: names of ``required_by`` and ``used_by`` in the catalog. Empty: nothing."""


class ExistingNetworkPlan(Struct, frozen=True):
    """A VPC that exists: the network stack refers to it, and creates nothing but security groups and endpoints."""

    path: KeyPath
    vpc_id: str
    subnet_ids: tuple[str, ...]
    """In the order of the file."""
    cidrs: tuple[str, ...]
    """Every range of the VPC as the lock has it; none while the lock is being made."""
    endpoints: tuple[str, ...]
    """Services, without prefix, of the endpoints that the VPC has."""
    called: tuple[str, ...] = ()
    """Services, without prefix, that the environment calls from private subnets."""


class NetworkPlan(Struct, frozen=True):
    path: KeyPath
    cidr: str
    """First range of the VPC; empty while the lock of a VPC that exists is being made."""
    zones: tuple[ZonePlan, ...]
    subnets: tuple[SubnetPlan, ...]
    """Private, secondary, public ones; those of a tier in the order of the file."""
    endpoints: tuple[EndpointPlan, ...]
    """VPC endpoints of the network stack."""
    are_endpoints_chosen: bool
    """Whether the file has `network.endpoints`."""
    endpoint_clients_cidr: str | None = None
    """Addresses that may use interface endpoints without a security group of the network stack."""
    existing: ExistingNetworkPlan | None = None
    """None for a VPC that the network stack creates."""

    @property
    def endpoint_clients_cidrs(self) -> tuple[str, ...]:
        """The same as every range of the VPC."""
        if self.endpoint_clients_cidr is None:
            return ()
        return self.existing.cidrs if self.existing is not None else (self.endpoint_clients_cidr,)

    @property
    def has_internet(self) -> bool:
        """Whether private subnets reach the internet; of a VPC that exists, by a default route of each."""
        if self.existing is not None:
            return all(subnet.route != NO_ROUTE for subnet in self.subnets_of(SubnetTier.PRIVATE))
        return any(zone.has_nat_gateway for zone in self.zones)

    @property
    def lack_of_internet(self) -> str:
        """Why private subnets do not reach the internet, for messages."""
        return "nat is none" if self.existing is None else "an existing subnet has no default route"

    @property
    def internet_edit(self) -> str:
        """How they would, for hints."""
        if self.existing is None:
            return "set network.nat: single"
        return f"ask the owner of {self.existing.vpc_id} for a default route"

    @property
    def internet_path(self) -> KeyPath:
        """The key that decides it."""
        return (*self.path, "nat") if self.existing is None else (*self.existing.path, "subnets")

    def zone(self, zone_id: str) -> ZonePlan | None:
        return next((zone for zone in self.zones if zone.zone_id == zone_id), None)

    def subnets_of(self, tier: SubnetTier) -> tuple[SubnetPlan, ...]:
        """In the order of the file."""
        return tuple(subnet for subnet in self.subnets if subnet.tier is tier)

    def subnet(self, tier: SubnetTier, zone_id: str) -> SubnetPlan | None:
        """The first of a zone; None where the tier has none there."""
        return next((subnet for subnet in self.subnets_of(tier) if subnet.zone_id == zone_id), None)
