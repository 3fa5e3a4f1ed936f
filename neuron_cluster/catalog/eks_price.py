"""Reference prices of an EKS control plane, by the support that its Kubernetes version has."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.price_list_query import PriceListQuery
from neuron_cluster.catalog.sourced_row import SourcedRow

STANDARD, EXTENDED = "standard_support", "extended_support"


class EksPrice(SourcedRow, frozen=True, kw_only=True):
    """USD for an hour of one cluster, in total."""

    usd_hour: float
    price_list: PriceListQuery | None = None

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if self.usd_hour <= 0:
            yield "usd_hour", "a control plane is not free"
