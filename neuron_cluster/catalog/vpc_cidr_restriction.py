"""CIDR blocks that EC2 does not add to a VPC, by the CIDR blocks that it has."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table

EVERY = IPv4Network("0.0.0.0/0")


class VpcCidrRestriction(SourcedRow, frozen=True, kw_only=True):
    """Where a CIDR block of the VPC is in ``addresses``, EC2 adds none that overlaps the other list."""

    addresses: str
    refused: tuple[str, ...]

    @property
    def range(self) -> IPv4Network:
        return IPv4Network(self.addresses)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.refused:
            yield "refused", "must list at least one restricted range"


class CidrRestrictionTable(Table[VpcCidrRestriction]):
    def restricted_range(self, added: IPv4Network, associated: IPv4Network) -> IPv4Network | None:
        """The range for which EC2 does not add ``added`` to a VPC that has ``associated``; None where it does."""
        own = [row for row in self if row.range != EVERY and associated.subnet_of(row.range)]
        for row in own or [row for row in self if row.range == EVERY]:
            for text in row.refused:
                if added.overlaps(IPv4Network(text)):
                    return IPv4Network(text)
        return None
