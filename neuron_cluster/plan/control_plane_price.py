"""The price of a control plane for an hour, on a day."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.price_list_query import PriceListQuery


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
    source: str = ""
    doubt: str | None = None
    price_list: PriceListQuery | None = None
