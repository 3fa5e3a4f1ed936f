"""The price of the instances of an environment for an hour, by the catalog's reference prices."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.machine_lines import instance_line
from neuron_cluster.cost.model import CostLine, Scenario, sum_of
from neuron_cluster.cost.own_prices import own_priced
from neuron_cluster.plan.cluster_plan import ClusterPlan

NOT_KNOWN = "not known"
MOST_NAMED = 3
"""Groups without a price that a sentence names."""


class GroupPrice(Struct, frozen=True):
    """USD per hour of one compute group or workstation. None without a known price; ``why_not`` gives the reason."""

    name: str
    machine_usd: float | None
    desired_usd: float | None
    """None where instances run at a price that is not known; 0 where none runs."""
    max_usd: float | None
    as_of: date | None
    why_not: str | None = None
    is_spot: bool = False
    """Whether it is the price that a source saw on Spot."""


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
    groups, workstations = (
        tuple(group_price(own_priced(instance_line(each, plan.region, catalog), plan.prices)) for each in those)
        for those in (plan.cluster_groups, plan.workstations)
    )
    return summed_price(groups, workstations, tuple(_not_included(plan)))


def group_price(line: CostLine) -> GroupPrice:
    """The line of the instances of a group."""
    price = line.price
    return GroupPrice(
        name=line.name,
        machine_usd=price.usd if price is not None else None,
        desired_usd=line.hourly(Scenario.DESIRED),
        max_usd=line.hourly(Scenario.MAXIMUM),
        as_of=price.as_of if price is not None else None,
        why_not=line.why_unknown,
        is_spot=price is not None and price.is_spot,
    )


def summed_price(
    groups: tuple[GroupPrice, ...], workstations: tuple[GroupPrice, ...], not_included: tuple[str, ...] = ()
) -> EnvironmentPrice:
    """These instances together."""
    priced = (*groups, *workstations)
    desired, maximum = sum_of([each.desired_usd for each in priced]), sum_of([each.max_usd for each in priced])
    return EnvironmentPrice(
        groups=groups,
        desired_usd=desired.exact,
        max_usd=maximum.exact,
        desired_at_least_usd=desired.at_least,
        max_at_least_usd=maximum.at_least,
        unpriced=tuple(group.name for group in priced if group.machine_usd is None),
        workstations=workstations,
        not_included=not_included,
    )


def _not_included(plan: ClusterPlan) -> Iterator[str]:
    """Yields other costs by the hour or by use, in the words of AWS's bill."""
    network, storage = plan.network, plan.storage
    for provider in plan.providers:
        yield from provider.not_priced()
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
    sentences = [
        f"Instances: {desired} an hour at the desired count, {maximum} with every group at its maximum.",
        *source_sentences(price),
    ]
    if price.not_included:
        sentences.append(f"Not included: {', '.join(price.not_included)}.")
    return " ".join(sentences)


def source_sentences(price: EnvironmentPrice) -> list[str]:
    """The prices that are not known with the reason, and the dates of the others."""
    reasons: dict[str, list[str]] = {}
    for group in price.machines:
        if _is_unpriced(group):
            reasons.setdefault(group.why_not or NOT_KNOWN, []).append(group.name)
    unpriced = [f"{_named(names)} ({reason})" for reason, names in reasons.items()]
    return [*([f"Price not known: {'; '.join(unpriced)}."] if unpriced else []), *_dates(price)]


def _named(names: list[str]) -> str:
    """At most ``MOST_NAMED`` of the groups; more are counted."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"
    return ", ".join(names)


def _dates(price: EnvironmentPrice) -> Iterator[str]:
    """The oldest of each kind."""
    for kind, is_spot in (("On-demand reference price", False), ("Spot price, which changes", True)):
        dates = [each.as_of for each in price.machines if each.as_of is not None and each.is_spot is is_spot]
        if dates:
            yield f"{kind}, dated {min(dates)}."


def _is_unpriced(group: GroupPrice) -> bool:
    return group.machine_usd is None
