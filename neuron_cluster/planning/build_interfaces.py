"""The network interfaces of an instance: a layout of the catalog, on the cards that the instance type has."""

from __future__ import annotations

from neuron_cluster.catalog.interface_layout import NO_ADDRESS, PLAIN, InterfaceLayout
from neuron_cluster.plan.machine_plan import InterfacePlan, SecurityGroupRole


def build_interfaces(
    layout: InterfaceLayout, efa_cards: int, roles: tuple[SecurityGroupRole, ...]
) -> tuple[InterfacePlan, ...]:
    """One interface for each place of the layout. ``efa_cards`` is the instance type's number of EFA interfaces.

    Every layout with EFA has one EFA interface on each of these cards, so that their number is the same in all.
    """
    return tuple(
        InterfacePlan(card, laid.device_index, laid.interface_type, security_groups_of(laid.interface_type, roles))
        for card, laid in layout.on_cards(efa_cards)
    )


def security_groups_of(interface_type: str, roles: tuple[SecurityGroupRole, ...]) -> tuple[SecurityGroupRole, ...]:
    """An interface with an address carries the traffic of the node; one without it carries EFA and nothing else."""
    if interface_type == NO_ADDRESS:
        return (SecurityGroupRole.EFA,)
    efa = () if interface_type == PLAIN else (SecurityGroupRole.EFA,)
    return (*roles, *efa, SecurityGroupRole.STORAGE_CLIENT)
