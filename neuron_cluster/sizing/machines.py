"""The instance types that are compared, by what their cores have."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.purchase_price import PurchasePrice
from neuron_cluster.sizing.layout import Machine
from neuron_cluster.sizing.request import SizingRequest

GIB = 2**30
ON_DEMAND = "on_demand"


class Price(Struct, frozen=True):
    """USD for an hour of one instance."""

    usd: float
    region: str
    source: str
    doubt: str | None


def compared_types(request: SizingRequest, catalog: Catalog) -> Iterator[InstanceType]:
    """Yields the types whose devices the SDK supports and whose cores are known; whole UltraServers are left out.

    Only the first of types that no Region offers and that have the same devices, unless the request names another one.
    """
    announced: set[tuple[str | None, int | None]] = set()
    for row in catalog.instance_types:
        chip = catalog.chips.get(row.chip) if row.chip is not None else None
        if chip is None or chip.last_sdk is not None or row.status == "ultraserver" or not row.neuron_cores:
            continue
        devices = (row.chip, row.neuron_devices)
        if row.name in request.instance_types or not (request.instance_types or devices in announced):
            yield row
        if not row.launchable:
            announced.add(devices)


def machines_of(row: InstanceType, request: SizingRequest, catalog: Catalog) -> Iterator[Machine]:
    """One for each configuration of logical cores."""
    chip = catalog.chips.get(row.chip or "")
    for config, cores in (row.logical_nc_configs or {}).items():
        wanted = request.fixed.logical_nc_config
        if chip is None or cores is None or row.device_memory_gib is None or (wanted and config != wanted):
            continue
        yield Machine(
            chip=chip,
            logical_nc_config=config,
            is_default_config=config == row.default_logical_nc_config,
            cores=cores,
            core_bytes=row.device_memory_gib * GIB // cores,
            has_efa=bool(row.efa_interfaces),
        )


def price_of(row: InstanceType, request: SizingRequest, catalog: Catalog) -> Price | None:
    """In the Region of the request, else the lowest that is known; None where no source has one."""
    if request.purchase_option == ON_DEMAND:
        prices, source = dict(row.on_demand_usd_hour), row.on_demand_usd_hour_source or row.source
        doubts, doubt = {}, row.doubt_about("on_demand_usd_hour")
    else:
        found: PurchasePrice | None = catalog.purchase_prices.of_instance(row.name, request.purchase_option)
        if found is None:
            return None
        prices, source, doubts = dict(found.regions), found.source, dict(found.doubtful_regions)
        doubt = found.doubt_about("regions")
    regions = [request.region] if request.region is not None else sorted(prices, key=lambda name: (prices[name], name))
    region = next((name for name in regions if name in prices), None)
    return Price(prices[region], region, source, doubts.get(region) or doubt) if region is not None else None
