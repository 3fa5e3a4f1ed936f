"""The network, every address decided."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath


class ZonePlan(Struct, frozen=True):
    """One availability zone and its subnets."""

    path: KeyPath
    zone_id: str
    private_cidr: str
    public_cidr: str | None
    """None without NAT: then nothing here has a way to the internet."""
    has_nat_gateway: bool
    nat_zone_id: str | None
    """Zone whose NAT gateway the private subnet uses."""
    holds_control_plane: bool
    """EKS places its interfaces here (it refuses a few zones)."""


class SecondarySubnetPlan(Struct, frozen=True):
    """A further address range of the VPC, which is one private subnet for nodes."""

    path: KeyPath
    zone_id: str
    cidr: str


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
    endpoints: tuple[EndpointPlan, ...]
    secondary_subnets: tuple[SecondarySubnetPlan, ...] = ()
    endpoint_clients_cidr: str | None = None
    """Addresses that may use interface endpoints without a group of ours, as the nodes of EKS Auto Mode have none."""

    @property
    def has_internet(self) -> bool:
        return any(zone.has_nat_gateway for zone in self.zones)

    def zone(self, zone_id: str) -> ZonePlan | None:
        return next((zone for zone in self.zones if zone.zone_id == zone_id), None)

    def secondary_subnet(self, zone_id: str) -> SecondarySubnetPlan | None:
        return next((subnet for subnet in self.secondary_subnets if subnet.zone_id == zone_id), None)
