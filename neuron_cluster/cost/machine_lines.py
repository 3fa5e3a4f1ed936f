"""Instances and their root volumes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.model import CostLine, Period, Quantities, Section
from neuron_cluster.cost.team_parts import team_parts
from neuron_cluster.cost.unit_prices import (
    instance_price,
    instance_price_key,
    no_price_of,
    service_period,
    service_unit_price,
    why_unknown,
)
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan

VOLUME, IOPS, THROUGHPUT = "ebs-gp3", "ebs-gp3-iops", "ebs-gp3-throughput"
"""Rows of ``service_prices``."""


def instance_line(group: ComputeGroupPlan, region: str, catalog: Catalog) -> CostLine:
    """Also of a group in a capacity block, whose price is not known by the hour."""
    machine = group.machine
    kind = machine.purchase.kind
    price = instance_price(machine.instance_type, kind, machine.hourly_usd, region, catalog)
    return CostLine(
        section=Section.INSTANCES,
        name=group.name,
        what=machine.instance_type,
        unit="instance",
        quantities=_running(group),
        period=Period.HOUR,
        price=price,
        why_unknown=why_unknown(kind) if price is None else None,
        price_key=instance_price_key(machine.instance_type, kind),
        team=group.team,
        is_neuron=machine.is_neuron,
    )


def _running(group: ComputeGroupPlan) -> Quantities:
    scaling = group.scaling
    stops = isinstance(group, WorkstationPlan) and group.idle_stop_minutes > 0
    return Quantities(0 if stops else scaling.minimum, scaling.desired, scaling.maximum)


def volume_lines(plan: ClusterPlan, catalog: Catalog) -> Iterator[CostLine]:
    """Root volumes: there while their instance is, stopped or not; then the homes of workstations."""
    for group in plan.compute_groups:
        yield from _root_volume_lines(group, plan, catalog)
    yield from home_lines(plan, catalog)


def home_lines(plan: ClusterPlan, catalog: Catalog) -> Iterator[CostLine]:
    """Yields the lines of homes, each of the team of the workstation that mounts the home."""
    teams = {each.home: each.team for each in plan.workstations if each.home is not None}
    for home in plan.storage.homes if plan.storage is not None else ():
        size = Quantities(home.size_gib, home.size_gib, home.size_gib)
        yield volume_line(VOLUME, f"home {home.name}", size, plan, catalog, team=teams.get(home.name))


def _root_volume_lines(group: ComputeGroupPlan, plan: ClusterPlan, catalog: Catalog) -> Iterator[CostLine]:
    volume, scaling = group.machine.root_volume, group.scaling
    if volume is None:
        return
    parts = team_parts(group, plan, catalog)
    instances = Quantities(scaling.minimum, scaling.desired, scaling.maximum)
    given = {VOLUME: volume.size_gib, IOPS: volume.iops, THROUGHPUT: volume.throughput_mibps}
    for name, units in given.items():
        if billed := max(0, units - catalog.service_prices[name].included):
            quantities = instances.times(billed)
            is_neuron = group.machine.is_neuron
            line = volume_line(name, group.name, quantities, plan, catalog, team=group.team, is_neuron=is_neuron)
            yield structs.replace(line, parts=parts)


def volume_line(
    row_name: str,
    name: str,
    quantities: Quantities,
    plan: ClusterPlan,
    catalog: Catalog,
    *,
    team: str | None = None,
    is_neuron: bool = False,
) -> CostLine:
    """Returns the line of a volume, priced by one row of ``service_prices``."""
    row = catalog.service_prices[row_name]
    price = service_unit_price(row_name, plan.region, plan.partition, catalog)
    return CostLine(
        section=Section.VOLUMES,
        name=name,
        what=row.what,
        unit=row.of,
        quantities=quantities,
        period=service_period(row_name, catalog),
        price=price,
        why_unknown=no_price_of(row.what, plan.region) if price is None else None,
        price_key=row_name,
        team=team,
        is_neuron=is_neuron,
        price_list=row.price_list,
    )
