"""Cards of compute groups and workstations; where there are many, one for those that are alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.diagram.model import Card, Kind, Pips
from neuron_cluster.findings.text import counted
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compute_group_plan import NO_LIMIT, ComputeGroupPlan
from neuron_cluster.plan.machine_plan import PurchaseOptionPlan
from neuron_cluster.plan.workstation_plan import WorkstationPlan

MOST_GROUPS = 12
"""Beyond it, groups that differ in their names alone share a card."""
PURCHASES = {"on_demand": "On-Demand", "spot": "Spot", "capacity_block": "capacity block"}


def group_cards(plan: ClusterPlan, catalog: Catalog) -> tuple[tuple[Card, tuple[str, ...]], ...]:
    """Each card with the zones of its instances, in the order of the file."""
    groups = plan.compute_groups
    cards = [(_card(group, catalog), group.zone_ids) for group in groups]
    return tuple(_folded(cards, groups)) if len(groups) > MOST_GROUPS else tuple(cards)


def _folded(
    cards: Sequence[tuple[Card, tuple[str, ...]]], groups: Sequence[ComputeGroupPlan]
) -> Iterator[tuple[Card, tuple[str, ...]]]:
    """Yields the cards, with those that are alike under the first one."""
    alike: dict[tuple[Card, tuple[str, ...]], list[tuple[Card, str]]] = {}
    for (card, zones), group in zip(cards, groups, strict=True):
        alike.setdefault((structs.replace(card, id="", title="", members=()), zones), []).append((card, group.name))
    for (_, zones), found in alike.items():
        first = found[0][0]
        names = tuple(name for _, name in found)
        if len(found) > 1:
            title = f"{len(found)} alike: {names[0]} to {names[-1]}"
            first = structs.replace(first, title=title, members=names)
        yield first, zones


def group_id(group: ComputeGroupPlan) -> str:
    """Returns the id of the card of a group that has its own card."""
    return f"{'workstation' if isinstance(group, WorkstationPlan) else 'group'}-{group.name}"


def _card(group: ComputeGroupPlan, catalog: Catalog) -> Card:
    is_workstation = isinstance(group, WorkstationPlan)
    machine = group.machine
    lines = [machine.instance_type, *(() if is_workstation else (_count(group),))]
    lines.append(purchase_text(machine.purchase))
    if machine.placement_strategy is not None:
        lines.append(f"placement group: {machine.placement_strategy}")
    lines += [f"{'queue' if len(group.queues) == 1 else 'queues'} {', '.join(group.queues)}"] if group.queues else []
    lines += [f"team {group.team}"] if group.team is not None else []
    return Card(
        id=group_id(group),
        kind=Kind.WORKSTATION if is_workstation else Kind.GROUP,
        label=group.label,
        title=group.name,
        lines=tuple(lines),
        pips=tuple(_pips(group, catalog)),
        members=(group.name,),
    )


def _count(group: ComputeGroupPlan) -> str:
    maximum = NO_LIMIT if group.scaling.maximum is None else f"{group.max:,}"
    return f"{counted(group.desired, 'instance')} at first, {group.min:,} to {maximum}"


def purchase_text(purchase: PurchaseOptionPlan) -> str:
    """The purchase option in the words of EC2, with the id of what is bought."""
    text = PURCHASES.get(purchase.kind, purchase.kind.replace("_", " "))
    return f"{text} {purchase.reservation_id}" if purchase.reservation_id else text


def _pips(group: ComputeGroupPlan, catalog: Catalog) -> Iterator[Pips]:
    """Neuron devices and network cards of one instance; a number that no source has is left out."""
    machine = group.machine
    row = catalog.instance_types.get(machine.instance_type)
    if row is not None and row.neuron_devices:
        chip = catalog.chips.get(row.chip) if row.chip is not None else None
        devices = counted(row.neuron_devices, "Neuron device")
        yield Pips(row.neuron_devices, row.neuron_devices, f"{devices} each, {chip.title if chip else row.chip}")
    used = {interface.network_card_index for interface in machine.interfaces}
    with_efa = {each.network_card_index for each in machine.interfaces if each.interface_type != "interface"}
    efa = f"{len(with_efa)} with EFA" if with_efa else "without EFA"
    yield Pips(len(used), len(with_efa), f"{counted(len(used), 'network card')} each, {efa}", is_round=True)
