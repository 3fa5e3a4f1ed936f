"""What the machines of an environment cost an hour, by the catalog's on-demand reference prices."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import MachinePlan

NOT_KNOWN = "not known"


class GroupPrice(Struct, frozen=True):
    """USD per hour of one node group or workstation. None where the catalog has no price."""

    name: str
    machine_usd: float | None
    desired_usd: float | None
    max_usd: float | None
    as_of: date | None


class EnvironmentPrice(Struct, frozen=True):
    """USD per hour of all machines that have a price; ``unpriced`` names those that have none.

    Machines only: the control plane, NAT, storage and traffic are not in it.
    """

    groups: tuple[GroupPrice, ...]
    desired_usd: float
    max_usd: float
    unpriced: tuple[str, ...]
    workstations: tuple[GroupPrice, ...] = ()


def price_of(plan: ClusterPlan, catalog: Catalog) -> EnvironmentPrice:
    """The reference price of an environment."""
    node_groups = plan.eks.node_groups if plan.eks is not None else ()
    groups = tuple(_group_price(group.name, group.machine, group.desired, group.max, catalog) for group in node_groups)
    workstations = tuple(_group_price(each.name, each.machine, 1, 1, catalog) for each in plan.workstations)
    return summed_price(groups, workstations)


def summed_price(groups: tuple[GroupPrice, ...], workstations: tuple[GroupPrice, ...]) -> EnvironmentPrice:
    """These machines together."""
    priced = (*groups, *workstations)
    return EnvironmentPrice(
        groups=groups,
        desired_usd=round(sum(group.desired_usd or 0 for group in priced), 4),
        max_usd=round(sum(group.max_usd or 0 for group in priced), 4),
        unpriced=tuple(group.name for group in priced if group.machine_usd is None),
        workstations=workstations,
    )


def _group_price(name: str, machine: MachinePlan, desired: int, most: int, catalog: Catalog) -> GroupPrice:
    usd = machine.hourly_usd
    row = catalog.instance_type(machine.instance_type)
    return GroupPrice(
        name=name,
        machine_usd=usd,
        desired_usd=None if usd is None else round(usd * desired, 4),
        max_usd=None if usd is None else round(usd * most, 4),
        as_of=row.on_demand_usd_hour_as_of if row is not None and usd is not None else None,
    )


def machine_lines(plan: ClusterPlan) -> list[str]:
    """The machines in a line for each group: ``trn1: 16 x trn1.32xlarge in usw2-az4 (0 to 16), $344.00 an hour``."""
    lines: list[str] = []
    for group in plan.eks.node_groups if plan.eks is not None else ():
        machine = group.machine
        usd = None if machine.hourly_usd is None else machine.hourly_usd * group.desired
        price = f"{dollars(usd)} an hour" if usd is not None else f"price {NOT_KNOWN}"
        zones = ", ".join(group.zone_ids)
        counts = f"{group.desired} x {machine.instance_type} in {zones} ({group.min} to {group.max})"
        lines.append(f"{group.name}: {counts}, {price}")
    for workstation in plan.workstations:
        machine = workstation.machine
        price = f"{dollars(machine.hourly_usd)} an hour" if machine.hourly_usd is not None else f"price {NOT_KNOWN}"
        lines.append(f"{workstation.name}: {machine.instance_type} in {workstation.zone_id}, {price} while it runs")
    return lines


def dollars(usd: float | None) -> str:
    """``$1,344.00``; cents are kept, fractions of cents where a price has them."""
    if usd is None:
        return NOT_KNOWN
    return f"${usd:,.2f}" if round(usd, 2) == round(usd, 4) else f"${usd:,.4f}"


def price_sentence(price: EnvironmentPrice) -> str:
    """The price in one sentence, for a person who is about to deploy."""
    machines = (*price.groups, *price.workstations)
    if not machines:
        return "There are no machines to pay for."
    total = f"{dollars(price.desired_usd)} an hour at the desired count, {dollars(price.max_usd)} at most"
    dates = sorted({group.as_of for group in machines if group.as_of is not None})
    if not dates:
        return "Machines: the price is not known; the catalog has none for these types in this Region."
    without = f", without {', '.join(price.unpriced)} (not known)" if price.unpriced else ""
    return (
        f"Machines: {total}{without}. On-demand reference price, dated {dates[0]}; "
        "the control plane, NAT, storage and traffic are not in it."
    )
