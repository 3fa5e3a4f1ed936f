"""DescribeInstanceTypeOfferings and the price list against the rows of instance types."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path

from catalog_refresh.answer import Answer, Change
from catalog_refresh.data_file import flow_list
from catalog_refresh.hardware import file_in
from neuron_cluster.aws.instance_types import offered_zone_ids
from neuron_cluster.aws.prices import on_demand_usd_hour
from neuron_cluster.aws.session import Target
from neuron_cluster.catalog.instance_type import InstanceType

PRICE_SOURCE = "Price List API, GetProducts of AmazonEC2 (Linux, shared tenancy)"


def refresh_offerings(
    targets: Mapping[str, Target],
    rows: Mapping[str, InstanceType],
    all_regions: Collection[str],
    data: Path,
    as_of: date,
) -> Answer:
    """Zones of the Regions that were asked; the others stay. Their date moves only when every Region was asked."""
    answer = Answer()
    names = [name for name, row in rows.items() if row.status != "ultraserver"]
    by_region = {region: offered_zone_ids(target, names) for region, target in targets.items()}
    is_whole = set(all_regions) <= set(targets)
    for name in names:
        row, file = rows[name], file_in(data, name)
        zones = {region: ids for region, ids in row.zone_ids.items() if region not in by_region}
        zones |= {region: found[name] for region, found in by_region.items() if name in found}
        if zones == row.zone_ids:
            continue
        pairs = {region: flow_list(zones[region]) for region in sorted(zones)}
        answer.changes.append(Change(file, name, "zone_ids", pairs))
        if is_whole:
            answer.changes.append(Change(file, name, "zone_ids_as_of", as_of.isoformat()))
        answer.notes += _doubt_to_read_again(row, "zone_ids")
    return answer


def refresh_prices(target: Target, rows: Mapping[str, InstanceType], data: Path, as_of: date) -> Answer:
    """List prices of all Regions. A row keeps its prices where the list has none at all."""
    answer = Answer()
    for name, row in rows.items():
        if not row.launchable:
            continue
        prices = on_demand_usd_hour(target, name)
        if not prices:
            if row.on_demand_usd_hour:
                answer.notes.append(f"{name}: the price list has no price; the row keeps its own")
        elif prices != row.on_demand_usd_hour:
            file, pairs = file_in(data, name), {region: str(usd) for region, usd in prices.items()}
            answer.changes += [
                Change(file, name, "on_demand_usd_hour", pairs),
                Change(file, name, "on_demand_usd_hour_source", PRICE_SOURCE),
                Change(file, name, "on_demand_usd_hour_as_of", as_of.isoformat()),
            ]
            answer.notes += _doubt_to_read_again(row, "on_demand_usd_hour")
    return answer


def _doubt_to_read_again(row: InstanceType, field: str) -> list[str]:
    reason = row.doubt_about(field)
    return [f"{row.name}: read the doubt about {field} again: {reason}"] if reason is not None else []
