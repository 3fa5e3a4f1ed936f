from __future__ import annotations

from neuron_cluster.config.capacity import OnDemand
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.compute.e3012_purchase_option_not_supported import (
    OF_WORKSTATIONS,
    PURCHASE_MODES,
    as_written,
)


class OnDemandWithoutPrice(Rule):
    """A Neuron type bought On-Demand has an On-Demand list price in some Region (`capacity.kind`).

    Only a warning: AWS documents the type as available On-Demand, but publishes no price. Types that are only
    announced have no price either (rule W3033).

    Without this check nodes do not start. EC2 keeps returning InsufficientInstanceCapacity, and the group becomes
    CREATE_FAILED.
    """

    id = "W3031"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html; prices: the catalog's row"
    proposes = ("capacity", "reservation_id")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
            row = group.instance_type
            if row is None or not row.launchable or not group.is_neuron or row.on_demand_usd_hour:
                continue
            if not group.is_sold_by_ec2:
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
