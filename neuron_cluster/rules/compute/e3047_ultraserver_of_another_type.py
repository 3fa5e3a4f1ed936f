"""UltraServers of other machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UltraserverOfAnotherType(ConfigRule):
    """The UltraServer type of a block is the one that the group's instance type is a part of.

    Where the catalog does not know under which name a type's UltraServer is sold, only names that it knows to be those
    of other types are rejected.

    Without this check the block holds machines of another type, EC2 rejects every launch with
    ReservationCapacityExceeded, and EKS reports the node group as CREATE_FAILED.
    """

    id = "E3047"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityBlockOfferings.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for group in environment.cluster_groups:
            capacity, row = group.capacity, group.instance_type
            if not isinstance(capacity, UltraserverBlock) or row is None:
                continue
            sold_as = row.ultraserver.capacity_type if row.ultraserver is not None else None
            parts = _parts_of(capacity.ultraserver, catalog)
            if sold_as is not None and capacity.ultraserver != sold_as:
                yield Violation(
                    (*group.path, "capacity", "ultraserver"),
                    f"ultraserver is {capacity.ultraserver}, but {row.name} is a part of {sold_as}",
                    f"write ultraserver: {sold_as}, or take the instance type that {capacity.ultraserver} is made of",
                )
            elif sold_as is None and row.purchase_modes is None and parts:  # of known ways to buy speaks rule E3012
                yield Violation(
                    (*group.path, "capacity", "ultraserver"),
                    f"ultraserver is {capacity.ultraserver}, which is made of {listed(parts)}, not of {row.name}",
                    f"write the name under which UltraServers of {row.name} are sold, or set instance_type: "
                    f"{listed(parts, 'or')}",
                )


def _parts_of(ultraserver: str, catalog: Catalog) -> list[str]:
    """The instance types that UltraServers of this name are made of, as far as the catalog knows."""
    return [
        row.name
        for row in catalog.instance_types
        if row.launchable and row.ultraserver is not None and row.ultraserver.capacity_type == ultraserver
    ]
