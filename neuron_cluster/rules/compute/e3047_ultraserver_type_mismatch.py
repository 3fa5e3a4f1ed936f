from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UltraserverTypeMismatch(Rule):
    """The UltraServer type of a block contains the group's instance type (`capacity.ultraserver`).

    Where the catalog does not have the UltraServer name of a type, only names of other types are rejected.

    Without this check the block holds instances of another type, EC2 rejects every launch with
    ReservationCapacityExceeded, and the group becomes CREATE_FAILED.
    """

    id = "E3047"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityBlockOfferings.html"

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            capacity, row = group.capacity, group.instance_type
            if not isinstance(capacity, UltraserverBlock) or row is None:
                continue
            sold_as = row.ultraserver.capacity_type if row.ultraserver is not None else None
            parts = _parts_of(capacity.ultraserver, context.catalog)
            if sold_as is not None and capacity.ultraserver != sold_as:
                yield Violation(
                    (*group.path, "capacity", "ultraserver"),
                    f"ultraserver is {capacity.ultraserver}, but {row.name} is part of {sold_as}",
                    f"write ultraserver: {sold_as}, or use an instance type of {capacity.ultraserver}",
                )
            elif sold_as is None and row.purchase_modes is None and parts:  # known purchase options: rule E3012
                yield Violation(
                    (*group.path, "capacity", "ultraserver"),
                    f"ultraserver is {capacity.ultraserver}, which consists of {listed(parts)}, not of {row.name}",
                    f"write the UltraServer type of {row.name}, or set instance_type: {listed(parts, 'or')}",
                )


def _parts_of(ultraserver: str, catalog: Catalog) -> list[str]:
    """The instance types of the catalog that are part of UltraServers of this name."""
    return [
        row.name
        for row in catalog.instance_types
        if row.launchable and row.ultraserver is not None and row.ultraserver.capacity_type == ultraserver
    ]
