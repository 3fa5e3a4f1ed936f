"""IPv4 addresses: what a node uses with its pods, and what each subnet has and needs at the largest sizes."""

from __future__ import annotations

import enum

from msgspec import Struct


class NodeAddresses(Struct, frozen=True):
    """What one node of a group uses in its subnet when all the pods run that are planned for it."""

    pods: int
    """Pods with an address of their own that are planned for."""
    pods_without_prefixes: int
    """Maximum pods of a node with an address for each pod."""
    pods_with_prefixes: int
    """Maximum pods of a node with prefix delegation."""
    interfaces: int
    """Network interfaces: those of the launch template, and those that the VPC CNI adds."""
    single: int
    """Addresses outside prefixes."""
    prefixes: int
    """Prefixes, each a block of addresses; none without prefix delegation."""
    addresses: int
    """All addresses, those in prefixes included."""


class Purpose(enum.StrEnum):
    """The use of addresses."""

    NODES = "nodes"
    CONTROL_PLANE = "control plane"
    ENDPOINTS = "endpoints"
    LOAD_BALANCERS = "load balancers"
    STORAGE = "storage"
    OTHER = "other"


class AddressNeed(Struct, frozen=True):
    """Addresses that one consumer uses in a subnet: ``count`` times ``each``."""

    purpose: Purpose
    words: str
    """What it is: the name of a node group, ``the control plane``."""
    count: int
    each: int
    is_least: bool = False
    """True: so many at least, because the catalog does not have the maximum pods of such a node."""
    saved: int = 0
    """Addresses that interfaces without one (``efa-only``) leave free; with `efa_all` they would be taken too."""
    blocks: int = 0
    """Of these addresses, blocks of a prefix that must be free as a whole."""

    @property
    def addresses(self) -> int:
        return self.count * self.each


class AddressPlan(Struct, frozen=True):
    """One subnet. A group that may run in several zones counts in each of them with its largest size."""

    zone_id: str
    kind: str
    """``private``, ``secondary`` or ``public``."""
    cidr: str
    has: int
    """Addresses without those that AWS keeps."""
    needs: tuple[AddressNeed, ...]

    @property
    def needed(self) -> int:
        return sum(need.addresses for need in self.needs)

    @property
    def left(self) -> int:
        """Negative where the subnet is too small."""
        return self.has - self.needed

    @property
    def saved(self) -> int:
        return sum(need.saved for need in self.needs)

    def needed_for(self, purpose: Purpose) -> int:
        return sum(need.addresses for need in self.needs if need.purpose is purpose)
