"""The VPC endpoints of an environment: what each costs a month, what calls it, and what for."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.service_price import HOURS_PER_MONTH
from neuron_cluster.cost.unit_prices import service_unit_price
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.report.marks import Marks
from neuron_cluster.report.price import dollars
from neuron_cluster.table import Table

INTERFACE = "interface-endpoint"
"""Its row of ``service_prices``."""
COLUMNS = ("endpoint", "USD a month", "called by", "for")
NOTE = "An interface endpoint is billed by the hour in each zone, and by the GB; a gateway is free."


def endpoints_table(plan: ClusterPlan, catalog: Catalog, marks: Marks) -> Table:
    """One row for each endpoint; without rows where there is none."""
    zones = len(plan.network.subnets_of(SubnetTier.PRIVATE))
    listed = service_unit_price(INTERFACE, plan.region, plan.partition, catalog)
    usd = plan.prices.get(INTERFACE, listed.usd if listed is not None else None)
    interface = usd * HOURS_PER_MONTH * zones if usd is not None else None
    rows = tuple(
        (
            each.service,
            "free" if each.is_gateway else dollars(interface),
            ", ".join(each.called_by) or "nothing in this file",
            each.reason,
        )
        for each in plan.network.endpoints
    )
    return Table(f"VPC endpoints{marks.mark((*plan.network.path, 'endpoints'))}", COLUMNS, rows, NOTE)
