"""The network, every address decided."""

from __future__ import annotations

import enum

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class SubnetTier(enum.Enum):
    """What a subnet is for."""

    PRIVATE = "private"
    """Nodes, control plane, endpoints, file systems; one a zone. To the internet through NAT, or not at all."""
    PUBLIC = "public"
    """NAT gateways and internet-facing load balancers; one a zone, none without NAT."""
    SECONDARY = "secondary"
    """A further address range of the VPC, for nodes alone; it has the routes of the private subnet of its zone."""


class SubnetOrigin(enum.Enum):
    """Where a subnet comes from."""

    CREATED = "created"
    """The network stack creates it. The only origin so far."""
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


class NetworkPlan(Struct, frozen=True):
    path: KeyPath
    cidr: str
    zones: tuple[ZonePlan, ...]
    subnets: tuple[SubnetPlan, ...]
    """Private, secondary, public ones; those of a tier in the order of the file."""
    endpoints: tuple[EndpointPlan, ...]
    endpoint_clients_cidr: str | None = None
    """Addresses that may use interface endpoints without a security group of the network stack."""

    @property
    def has_internet(self) -> bool:
        return any(zone.has_nat_gateway for zone in self.zones)

    def zone(self, zone_id: str) -> ZonePlan | None:
        return next((zone for zone in self.zones if zone.zone_id == zone_id), None)

    def subnets_of(self, tier: SubnetTier) -> tuple[SubnetPlan, ...]:
        """In the order of the file."""
        return tuple(subnet for subnet in self.subnets if subnet.tier is tier)

    def subnet(self, tier: SubnetTier, zone_id: str) -> SubnetPlan | None:
        """The first of a zone; None where the tier has none there."""
        return next((subnet for subnet in self.subnets_of(tier) if subnet.zone_id == zone_id), None)
