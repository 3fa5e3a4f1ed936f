"""What the EKS control plane costs an hour on a day: extended support costs six times as much."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.eks_price import EXTENDED, STANDARD
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.price import dollars


class ControlPlanePrice(Struct, frozen=True):
    """USD an hour of the cluster on a day."""

    kubernetes: str
    on: date
    usd_hour: float
    standard_usd_hour: float
    extended_since: date | None
    """The day after which the version is in extended support; None while it has standard support."""
    as_of: date
    """When the price was looked up."""


def control_plane_price(plan: ClusterPlan, catalog: Catalog, on: date | None) -> ControlPlanePrice | None:
    """None without a cluster, and where no day is given."""
    version = catalog.kubernetes_version(plan.kubernetes.version) if plan.kubernetes is not None else None
    if version is None or on is None:
        return None
    is_extended = version.standard_support_ends <= on
    standard, now = catalog.eks_price(STANDARD), catalog.eks_price(EXTENDED if is_extended else STANDARD)
    since = version.standard_support_ends if is_extended else None
    return ControlPlanePrice(version.name, on, now.usd_hour, standard.usd_hour, since, now.checked_on)


def control_plane_sentences(price: ControlPlanePrice | None) -> list[str]:
    """A sentence where extended support is billed."""
    if price is None or price.extended_since is None:
        return []
    more = dollars(round(price.usd_hour - price.standard_usd_hour, 4))
    costs = f"the control plane costs {dollars(price.usd_hour)} an hour, {more} more than with standard support"
    since = f"Kubernetes {price.kubernetes} is in extended support since {price.extended_since}"
    return [f"{since}: on {price.on} {costs} (reference price, dated {price.as_of})."]
