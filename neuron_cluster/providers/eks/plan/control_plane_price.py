"""The price of the EKS control plane for an hour, on a day: extended support costs six times as much."""

from __future__ import annotations

from datetime import date

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.eks_price import EXTENDED, STANDARD
from neuron_cluster.plan.control_plane_price import ControlPlanePrice


def eks_control_plane_price(kubernetes: str, catalog: Catalog, on: date) -> ControlPlanePrice | None:
    """None for a Kubernetes version that the catalog does not have."""
    version = catalog.kubernetes_versions.get(kubernetes)
    if version is None:
        return None
    is_extended = version.standard_support_ends <= on
    standard, now = catalog.eks_prices[STANDARD], catalog.eks_prices[EXTENDED if is_extended else STANDARD]
    since = version.standard_support_ends if is_extended else None
    return ControlPlanePrice(
        version.name,
        on,
        now.usd_hour,
        standard.usd_hour,
        since,
        now.checked_on,
        source=now.source,
        doubt=now.doubt_about("usd_hour"),
        price_list=now.price_list,
    )
