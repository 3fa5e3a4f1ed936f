"""The prices of the lines as AWS returns them, compared with those of the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct, structs

from neuron_cluster.aws.prices import on_demand_usd_hour, usage_usd
from neuron_cluster.aws.session import Target
from neuron_cluster.aws.spot_prices import spot_usd_hour
from neuron_cluster.catalog.price_list_query import PriceListQuery
from neuron_cluster.cost.environment_cost import EnvironmentCost
from neuron_cluster.cost.model import CostLine, PriceDifference, Section, UnitPrice
from neuron_cluster.cost.unit_prices import SPOT
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan

NOT_QUERIED = "not queried"
NO_PRICE = "the price list has no price of it in this Region"
NO_SPOT_PRICE = "no zone of the group has a Spot price"
PRICE_LIST = "https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_pricing_GetProducts.html"
SPOT_HISTORY = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeSpotPriceHistory.html"


class LiveCost(Struct, frozen=True, kw_only=True):
    """``cost`` has the prices of AWS where there are some, else those of the catalog."""

    at: datetime
    cost: EnvironmentCost
    differences: tuple[PriceDifference, ...]


class _Results(Struct):
    """Each query is made once."""

    target: Target
    at: datetime
    spot: dict[str, dict[str, float]]
    on_demand: dict[str, float | None] = {}
    usages: dict[PriceListQuery, float | None] = {}

    def instance_usd(self, group: ComputeGroupPlan) -> float | None:
        """On Spot the highest price of the zones of the group."""
        name = group.machine.instance_type
        if group.machine.purchase.kind == SPOT:
            zones = self.spot.get(name, {})
            return max((zones[zone] for zone in group.zone_ids if zone in zones), default=None)
        if name not in self.on_demand:
            self.on_demand[name] = on_demand_usd_hour(self.target, name).get(self.target.region)
        return self.on_demand[name]

    def usage_usd(self, query: PriceListQuery) -> float | None:
        """None where one of its usage types has no price."""
        if query not in self.usages:
            found = usage_usd(self.target, query.service, query.usages, query.filters)
            is_complete = set(found) == set(query.usages)
            self.usages[query] = sum(found.values()) / query.divisor if is_complete else None
        return self.usages[query]


def live_cost(cost: EnvironmentCost, plan: ClusterPlan, target: Target, at: datetime) -> LiveCost:
    """Queries the price list, and Spot prices where a group runs on Spot.

    Raises ``ToolkitError`` when a query fails: without credentials or permissions, or without a connection.
    """
    groups = [group for group in plan.compute_groups if not group.machine.purchase.is_block]
    on_spot = {group.machine.instance_type for group in groups if group.machine.purchase.kind == SPOT}
    results = _Results(target=target, at=at, spot=spot_usd_hour(target, on_spot, at) if on_spot else {})
    lines: list[CostLine] = []
    differences: dict[tuple[str | None, str], PriceDifference] = {}
    for line, price, why in _priced(cost.lines, groups, results):
        lines.append(line if price is None else structs.replace(line, price=price, why_unknown=None))
        name = line.name if line.section is Section.INSTANCES else None
        differences[name, line.what] = PriceDifference(
            name=name,
            what=line.what,
            catalog_usd=line.price.usd if line.price is not None else None,
            live_usd=price.usd if price is not None else None,
            why_unknown=why,
        )
    return LiveCost(at=at, cost=structs.replace(cost, lines=tuple(lines)), differences=tuple(differences.values()))


def _priced(
    lines: Sequence[CostLine], groups: Sequence[ComputeGroupPlan], results: _Results
) -> Iterator[tuple[CostLine, UnitPrice | None, str | None]]:
    """Each line with its price, or why there is none. The lines of instances are in the order of their groups."""
    instances = iter(groups)
    for line in lines:
        if line.section is Section.INSTANCES:
            group = next(instances)
            is_spot = group.machine.purchase.kind == SPOT
            usd = results.instance_usd(group)
            yield line, _unit_price(usd, results, is_spot=is_spot), _why(usd, NO_SPOT_PRICE if is_spot else NO_PRICE)
        elif line.price_list is not None:
            usd = results.usage_usd(line.price_list)
            yield line, _unit_price(usd, results), _why(usd, NO_PRICE)
        else:
            yield line, None, NOT_QUERIED


def _why(usd: float | None, reason: str) -> str | None:
    return reason if usd is None else None


def _unit_price(usd: float | None, results: _Results, *, is_spot: bool = False) -> UnitPrice | None:
    if usd is None:
        return None
    source = SPOT_HISTORY if is_spot else PRICE_LIST
    return UnitPrice(usd=usd, source=source, as_of=results.at.date(), is_spot=is_spot)
