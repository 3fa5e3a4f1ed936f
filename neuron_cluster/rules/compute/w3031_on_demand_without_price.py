"""Instance types with no published On-Demand price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.capacity import OnDemand
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.compute.e3012_purchase_option_not_supported import (
    OF_WORKSTATIONS,
    PURCHASE_MODES,
    as_written,
)

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class OnDemandWithoutPrice(ConfigRule):
    """A Neuron type bought On-Demand has an On-Demand list price in some Region (`capacity.kind`).

    Only a warning: AWS documents the type as available On-Demand, but publishes no price. Types that are only
    announced have no price either (rule W3033).

    Without this check nodes do not start. EC2 keeps returning InsufficientInstanceCapacity, and the group becomes
    CREATE_FAILED.
    """

    id = "W3031"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html; prices: the catalog's row"
    proposes = ("capacity", "reservation_id")

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for group in environment.compute_groups:
            row = group.instance_type
            if row is None or not row.launchable or not group.is_neuron or row.on_demand_usd_hour:
                continue
            modes = set(row.purchase_modes or ()) - {"on_demand"}
            kinds = [
                kind
                for kind, mode in PURCHASE_MODES.items()
                if mode in modes and (not group.is_workstation or kind in OF_WORKSTATIONS)
            ]
            written = listed((as_written(kind, group) for kind in kinds), "or")
            if isinstance(group.capacity, OnDemand):
                yield Violation(
                    (*group.path, "capacity", "kind"),
                    f"{group.name} buys {row.name} on demand, but AWS publishes no on-demand price for it in any "
                    "Region",
                    f"set capacity: {written}" if kinds else "ask AWS for the purchase options of this type",
                )
