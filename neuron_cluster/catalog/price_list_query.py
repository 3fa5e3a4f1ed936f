"""Where a price is in the Price List API of AWS."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap


class PriceListQuery(Struct, frozen=True, kw_only=True):
    """Products of one service in one Region; the price is the sum of its usage types, divided by ``divisor``.

    A usage type is given without the prefix of the Region: ``NatGateway-Hours`` is ``USW2-NatGateway-Hours``, too.
    """

    service: str
    usages: tuple[str, ...]
    filters: FrozenMap[str, str] = FrozenMap()
    """Attributes of the products, beside the Region."""
    divisor: int = 1
    """Units of the row in one unit of the price list: 1,024 MiB/s in a GiB/s."""
