"""The price of the control plane, where the environment has one that is billed by the hour."""

from __future__ import annotations

from datetime import date

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.control_plane_price import ControlPlanePrice
from neuron_cluster.report.price import dollars


def control_plane_price(plan: ClusterPlan, catalog: Catalog, on: date | None) -> ControlPlanePrice | None:
    """None without a control plane, and where no day is given."""
    if on is None:
        return None
    prices = (each.control_plane_price(catalog, on) for each in plan.providers)
    return next((price for price in prices if price is not None), None)


def control_plane_sentences(price: ControlPlanePrice | None) -> list[str]:
    """A sentence where extended support is billed."""
    if price is None or price.extended_since is None:
        return []
    more = dollars(round(price.usd_hour - price.standard_usd_hour, 4))
    costs = f"the control plane costs {dollars(price.usd_hour)} an hour, {more} more than with standard support"
    since = f"Kubernetes {price.kubernetes} is in extended support since {price.extended_since}"
    return [f"{since}: on {price.on} {costs} (reference price, dated {price.as_of})."]
