"""What the instances of an environment cost an hour, by the catalog's on-demand reference prices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT, ComputeGroupPlan
from neuron_cluster.plan.machine_plan import MachinePlan, PurchaseOptionPlan

NOT_KNOWN = "not known"
WITHOUT_LIST_PRICE = {
    "spot": "the spot price changes",
    "capacity_block": "a capacity block is paid for when it is bought",
}
"""By purchase option: why the on-demand price is not what the instances cost."""


class GroupPrice(Struct, frozen=True):
    """USD per hour of one compute group or workstation. None without a known price; ``why_not`` gives the reason."""

    name: str
    machine_usd: float | None
    desired_usd: float | None
    """None where instances run at a price that is not known; 0 where none runs."""
    max_usd: float | None
    as_of: date | None
    why_not: str | None = None


class EnvironmentPrice(Struct, frozen=True):
    """USD per hour of all instances. A sum is None when one part of it is not known; ``…_at_least_usd`` is the sum
    of the parts that are, and None where that is none of them. ``unpriced`` names the groups without a price.

    Instances only: ``not_included`` names what else of the environment is billed.
    """

    groups: tuple[GroupPrice, ...]
    desired_usd: float | None
    max_usd: float | None
    desired_at_least_usd: float | None
    max_at_least_usd: float | None
    unpriced: tuple[str, ...]
    workstations: tuple[GroupPrice, ...] = ()
    not_included: tuple[str, ...] = ()

    @property
    def machines(self) -> tuple[GroupPrice, ...]:
        return (*self.groups, *self.workstations)


def price_of(plan: ClusterPlan, catalog: Catalog) -> EnvironmentPrice:
    """The reference price of an environment."""
    groups = tuple(
        _group_price(group.name, group.machine, group.desired, group.scaling.maximum, catalog)
        for group in plan.cluster_groups
    )
    workstations = tuple(_group_price(each.name, each.machine, 1, 1, catalog) for each in plan.workstations)
    return summed_price(groups, workstations, tuple(_not_included(plan)))


def summed_price(
    groups: tuple[GroupPrice, ...], workstations: tuple[GroupPrice, ...], not_included: tuple[str, ...] = ()
) -> EnvironmentPrice:
    """These instances together."""
    priced = (*groups, *workstations)
    desired, maximum = [group.desired_usd for group in priced], [group.max_usd for group in priced]
    return EnvironmentPrice(
        groups=groups,
        desired_usd=_sum(desired) if None not in desired else None,
        max_usd=_sum(maximum) if None not in maximum else None,
        desired_at_least_usd=_sum(desired),
        max_at_least_usd=_sum(maximum),
        unpriced=tuple(group.name for group in priced if group.machine_usd is None),
        workstations=workstations,
        not_included=not_included,
    )


def _sum(parts: Sequence[float | None]) -> float | None:
    """Of the known parts; None where there are parts and no known one."""
    known = [part for part in parts if part is not None]
    return round(sum(known), 4) if known or not parts else None


def _group_price(name: str, machine: MachinePlan, desired: int, maximum: int | None, catalog: Catalog) -> GroupPrice:
    usd = list_price(machine)
    row = catalog.instance_type(machine.instance_type)
    return GroupPrice(
        name=name,
        machine_usd=usd,
        desired_usd=times(usd, desired),
        max_usd=times(usd, maximum),
        as_of=row.on_demand_usd_hour_as_of if row is not None and usd is not None else None,
        why_not=_why_not(machine.purchase) if usd is None else None,
    )


def list_price(machine: MachinePlan) -> float | None:
    """The on-demand price, where the instance is billed by it: on demand, and in a reservation."""
    return None if machine.purchase.kind in WITHOUT_LIST_PRICE else machine.hourly_usd


def _why_not(purchase: PurchaseOptionPlan) -> str:
    return WITHOUT_LIST_PRICE.get(purchase.kind, "the catalog has no price of this type in this Region")


def times(usd: float | None, count: int | None) -> float | None:
    """The price of so many instances; that of none is 0 whatever one costs. None for a count without a limit."""
    if count is None:
        return None
    if usd is None:
        return None if count else 0.0
    return round(usd * count, 4)


def _not_included(plan: ClusterPlan) -> Iterator[str]:
    """What else is billed by the hour or by use, in the words of AWS's bill."""
    network, storage = plan.network, plan.storage
    for orchestrator in plan.orchestrators:
        yield from orchestrator.not_priced()
    if gateways := len({zone.nat_zone_id for zone in network.zones if zone.nat_zone_id is not None}):
        yield f"{gateways} NAT gateway{'s' if gateways > 1 else ''}"
    if any(not endpoint.is_gateway for endpoint in network.endpoints):
        yield "interface endpoints"
    if storage is not None and storage.lustre is not None and storage.lustre.existing is None:
        yield "FSx for Lustre"
    if storage is not None and storage.efs is not None:
        yield "EFS"
    if storage is not None and storage.s3_files is not None:
        yield "S3 Files"
    if storage is not None and (storage.bucket is not None or storage.express is not None):
        yield "S3"
    yield from ("EBS volumes", "KMS keys", "logs", "data transfer")


def machine_lines(plan: ClusterPlan) -> list[str]:
    """The instances in a line for each group: ``trn1: 16 x trn1.32xlarge in usw2-az4 (0 to 16), $344.00 an hour``."""
    lines: list[str] = []
    for group in plan.cluster_groups:
        machine = group.machine
        usd = times(list_price(machine), group.desired)
        zones = ", ".join(group.zone_ids)
        counts = f"{group.desired} x {machine.instance_type} in {zones} ({group.min} to {_most(group)})"
        lines.append(f"{group.name}: {counts}, {_an_hour(usd, machine.purchase)}")
    for workstation in plan.workstations:
        machine = workstation.machine
        price = _an_hour(list_price(machine), machine.purchase)
        lines.append(f"{workstation.name}: {machine.instance_type} in {workstation.zone_id}, {price} while it runs")
    return lines


def _most(group: ComputeGroupPlan) -> str:
    return NO_LIMIT if group.scaling.maximum is None else str(group.scaling.maximum)


def _an_hour(usd: float | None, purchase: PurchaseOptionPlan) -> str:
    return f"{dollars(usd)} an hour" if usd is not None else f"price {NOT_KNOWN} ({_why_not(purchase)})"


def dollars(usd: float | None) -> str:
    """``$1,344.00``; cents are kept, fractions of cents where a price has them."""
    if usd is None:
        return NOT_KNOWN
    return f"${usd:,.2f}" if round(usd, 2) == round(usd, 4) else f"${usd:,.4f}"


def total(exact: float | None, at_least: float | None) -> str:
    """A sum in words: exact, a lower bound, or not known."""
    if exact is None and at_least:
        return f"at least {dollars(at_least)}"
    return dollars(exact)


def price_sentence(price: EnvironmentPrice) -> str:
    """The price in words, for a person who is about to deploy."""
    if not price.machines:
        return "No instances are billed."
    desired = total(price.desired_usd, price.desired_at_least_usd)
    maximum = total(price.max_usd, price.max_at_least_usd)
    sentences = [f"Instances: {desired} an hour at the desired count, {maximum} with every group at its maximum."]
    if unpriced := [f"{group.name} ({group.why_not or NOT_KNOWN})" for group in price.machines if _is_unpriced(group)]:
        sentences.append(f"Price not known: {'; '.join(unpriced)}.")
    dates = sorted({group.as_of for group in price.machines if group.as_of is not None})
    if dates:
        sentences.append(f"On-demand reference price, dated {dates[0]}.")
    if price.not_included:
        sentences.append(f"Not included: {', '.join(price.not_included)}.")
    return " ".join(sentences)


def _is_unpriced(group: GroupPrice) -> bool:
    return group.machine_usd is None
