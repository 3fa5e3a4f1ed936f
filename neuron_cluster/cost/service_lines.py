"""Costs of an environment whether instances run or not: control plane, network, keys, alarms."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.model import CostLine, Period, Quantities, Rate, Section, UnitPrice, always
from neuron_cluster.cost.unit_prices import no_price_of, service_period, service_unit_price
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.control_plane_price import ControlPlanePrice
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.plan.provider_plan import ProviderPlan
from neuron_cluster.plan.unpriced_use import UnpricedUse

DATA_RATES = {"nat-gateway": "nat-gateway-data", "interface-endpoint": "interface-endpoint-data"}
"""Rows of ``service_prices`` that are billed by the GB, by the service through which the data goes."""


def service_lines(plan: ClusterPlan, catalog: Catalog, on: date) -> Iterator[CostLine]:
    """The price of a control plane is that of the day ``on``: extended support costs more."""
    for provider in plan.providers:
        yield from _control_plane_lines(provider, catalog, on)
        for use in provider.unpriced_uses():
            yield _unpriced_line(use, plan.region)
    for name, number in service_quantities(plan).items():
        if number:
            yield _service_line(name, number, plan, catalog)


def service_quantities(plan: ClusterPlan) -> dict[str, int]:
    """How many of each row of ``service_prices`` the stacks create."""
    network, observability = plan.network, plan.observability
    gateways = sum(zone.has_nat_gateway for zone in network.zones)
    interfaces = sum(not endpoint.is_gateway for endpoint in network.endpoints)
    return {
        "nat-gateway": gateways,
        "public-ipv4": gateways,
        "interface-endpoint": interfaces * len(network.subnets_of(SubnetTier.PRIVATE)),
        "kms-key": _keys(plan),
        "cloudwatch-alarm": len(observability.alarms) if observability is not None else 0,
        "cloudwatch-dashboard": int(observability is not None and bool(observability.widgets)),
    }


def _keys(plan: ClusterPlan) -> int:
    """Returns the number of KMS keys: of the flow logs, of data, of each provider."""
    flow_logs = int(plan.network.existing is None)
    data = int(plan.storage is not None and plan.storage.key_arn is None)
    return flow_logs + data + sum(each.keys_created() for each in plan.providers)


def _control_plane_lines(provider: ProviderPlan, catalog: Catalog, on: date) -> Iterator[CostLine]:
    found = provider.control_plane_price(catalog, on)
    if found is None:
        return
    support = "extended" if found.extended_since is not None else "standard"
    price = UnitPrice(usd=found.usd_hour, source=found.source, as_of=found.as_of, doubt=found.doubt)
    yield CostLine(
        section=Section.CONTROL_PLANE,
        name="control-plane",
        what=f"Kubernetes {found.kubernetes}, {support}",
        unit="cluster",
        quantities=always(1),
        period=Period.HOUR,
        price=price,
        price_list=found.price_list,
    )


def _unpriced_line(use: UnpricedUse, region: str) -> CostLine:
    return CostLine(
        section=Section.CONTROL_PLANE,
        name=use.name,
        what=use.what,
        unit=use.unit,
        quantities=Quantities(use.minimum, use.desired, use.maximum),
        period=Period.HOUR,
        price=None,
        why_unknown=no_price_of(use.what, region),
        price_key=use.name,
    )


def extended_support(plan: ClusterPlan, catalog: Catalog, on: date) -> ControlPlanePrice | None:
    """Returns the price of the control plane at the end of standard support; None after it, or without a price."""
    for provider in plan.providers:
        now, later = (provider.control_plane_price(catalog, day) for day in (on, date.max))
        if now is not None and later is not None and now.extended_since is None and later.extended_since is not None:
            return structs.replace(later, on=later.extended_since)
    return None


def _service_line(name: str, number: int, plan: ClusterPlan, catalog: Catalog) -> CostLine:
    row = catalog.service_prices[name]
    price = service_unit_price(name, plan.region, plan.partition, catalog)
    return CostLine(
        section=Section.CONTROL_PLANE if row.unit == "hour" else Section.OTHER,
        name=name,
        what=row.what,
        unit=row.of,
        quantities=always(number),
        period=service_period(name, catalog),
        price=price,
        why_unknown=no_price_of(row.what, plan.region) if price is None else None,
        price_key=name,
        price_list=row.price_list,
    )


def data_rates(plan: ClusterPlan, catalog: Catalog) -> Iterator[Rate]:
    """Yields the rates of data through the gateways and endpoints of the plan."""
    quantities = service_quantities(plan)
    for through, name in DATA_RATES.items():
        if quantities[through]:
            what = catalog.service_prices[name].what
            price = service_unit_price(name, plan.region, plan.partition, catalog)
            yield Rate(name, what, "GB", price, no_price_of(what, plan.region) if price is None else None)
