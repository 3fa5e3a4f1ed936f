"""What an environment costs after an edit that leaves machines running of which the file says nothing more."""

from __future__ import annotations

from collections.abc import Iterable

from neuron_cluster.report.price import EnvironmentPrice, GroupPrice, summed_price


def price_with_left(
    after: EnvironmentPrice, before: EnvironmentPrice | None, groups: Iterable[str], workstations: Iterable[str]
) -> EnvironmentPrice:
    """The price after the edit with these groups and workstations, which a deploy leaves, at what they cost before."""
    return summed_price(
        (*after.groups, *_left(groups, after.groups, before.groups if before else ())),
        (*after.workstations, *_left(workstations, after.workstations, before.workstations if before else ())),
        after.not_included,
    )


def _left(names: Iterable[str], counted: tuple[GroupPrice, ...], before: tuple[GroupPrice, ...]) -> list[GroupPrice]:
    known, there = {group.name: group for group in before}, {group.name for group in counted}
    return [known.get(name, GroupPrice(name, None, None, None, None)) for name in names if name not in there]
