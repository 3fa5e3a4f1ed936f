"""Every EFA layout on every instance type: as many EFA interfaces as the type has, at places that its cards have."""

from __future__ import annotations

import itertools

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.config.machine import EfaLayout
from neuron_cluster.plan.machine_plan import InterfacePlan, SecurityGroupRole
from neuron_cluster.planning.build_interfaces import build_interfaces
from neuron_cluster.providers.eks.plan.build_node_group import SECURITY_GROUPS
from tests.every_case import every_case

CATALOG = load_catalog()
WITH_EFA = [row for row in CATALOG.instance_types if row.can_be_planned and row.efa_interfaces]
LAYOUTS = [layout.name for layout in CATALOG.interface_layouts if layout.has_efa]
every_layout_on_every_type = every_case(
    "row, layout", itertools.product(WITH_EFA, LAYOUTS), ids=lambda case: f"{case[0].name}-{case[1]}"
)


def laid(row: InstanceType, layout: str) -> tuple[InterfacePlan, ...]:
    return build_interfaces(CATALOG.interface_layouts[layout], row.efa_interfaces or 0, SECURITY_GROUPS)


def places(interfaces: tuple[InterfacePlan, ...]) -> list[tuple[int, int, str]]:
    return [(each.network_card_index, each.device_index, each.interface_type) for each in interfaces]


def test_the_catalog_has_the_layouts_of_the_file_and_no_other() -> None:
    assert {layout.name for layout in CATALOG.interface_layouts} == {layout.value for layout in EfaLayout}
    assert len(WITH_EFA) > 5


@every_layout_on_every_type
def test_the_number_of_efa_interfaces_is_the_catalogs_in_every_layout(row: InstanceType, layout: str) -> None:
    interfaces = laid(row, layout)
    efa = [each for each in interfaces if each.interface_type != "interface"]
    assert len(efa) == row.efa_interfaces
    assert len({each.network_card_index for each in efa}) == len(efa), "a card carries one EFA interface at most"


@every_layout_on_every_type
def test_the_cards_of_the_type_carry_every_interface_and_no_two_share_a_place(row: InstanceType, layout: str) -> None:
    interfaces = places(laid(row, layout))
    assert len({(card, device) for card, device, _ in interfaces}) == len(interfaces)
    cards = [card for card, _, _ in interfaces]
    assert max(cards) < (row.network_cards or row.efa_interfaces or 0)
    maximum = row.interfaces_per_card
    assert maximum is None or max(cards.count(card) for card in cards) <= maximum


@every_layout_on_every_type
def test_the_primary_interface_comes_first_and_has_an_address(row: InstanceType, layout: str) -> None:
    card, device, kind = places(laid(row, layout))[0]
    assert (card, device) == (0, 0)
    assert kind != "efa-only"


@every_layout_on_every_type
def test_interfaces_have_no_more_groups_than_ec2_accepts_and_efa_only_ones_only_efa(
    row: InstanceType, layout: str
) -> None:
    maximum = CATALOG.limits["security_groups_per_interface"].maximum
    for interface in laid(row, layout):
        assert len(interface.groups) <= (maximum or 0)
        assert len(set(interface.groups)) == len(interface.groups)
        if interface.interface_type == "efa-only":
            assert interface.groups == (SecurityGroupRole.EFA,)
        else:
            assert interface.groups[:2] == (SecurityGroupRole.CLUSTER, SecurityGroupRole.NODE)
            assert (SecurityGroupRole.EFA in interface.groups) == (interface.interface_type == "efa")


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("efa", [(0, 0, "efa"), (1, 1, "efa-only"), (2, 1, "efa-only")]),
        ("efa_all", [(0, 0, "efa"), (1, 1, "efa"), (2, 1, "efa")]),
        ("ena_primary", [(0, 0, "interface"), (0, 1, "efa-only"), (1, 0, "efa-only"), (2, 0, "efa-only")]),
        ("off", [(0, 0, "interface")]),
    ],
)
def test_each_layout_has_its_places(layout: str, expected: list[tuple[int, int, str]]) -> None:
    assert places(build_interfaces(CATALOG.interface_layouts[layout], 3, SECURITY_GROUPS)) == expected


def test_a_layout_that_no_document_shows_on_a_neuron_type_says_so() -> None:
    """Rule W3061 warns of it."""
    assert [layout.name for layout in CATALOG.interface_layouts if layout.doubt] == ["ena_primary"]
