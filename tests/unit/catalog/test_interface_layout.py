"""Layouts that no machine could have are refused when the data is read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.interface_layout import LaidInterface

CATALOG = load_catalog()

FIRST = LaidInterface(cards="first", device_index=0, interface_type="efa")
FURTHER = LaidInterface(cards="further", device_index=1, interface_type="efa-only")
EFA = CATALOG.interface_layouts["efa"]


@pytest.mark.parametrize("name", CATALOG.interface_layouts.names)
def test_every_shipped_layout_is_possible(name: str) -> None:
    assert list(CATALOG.interface_layouts[name].contradictions()) == []


@pytest.mark.parametrize(
    ("interfaces", "reason"),
    [
        ((), "the first one is the primary"),
        ((FURTHER,), "the first one is the primary"),
        ((replace(FIRST, interface_type="efa-only"), FURTHER), "the first one is the primary"),
        ((replace(FIRST, device_index=1), FURTHER), "the first one is the primary"),
        (
            (FIRST, FURTHER, replace(FURTHER, interface_type="interface")),
            "two interfaces have the same card and device index",
        ),
        ((FIRST,), "each card must have one EFA interface"),
        ((FIRST, FURTHER, replace(FURTHER, device_index=2)), "each card must have one EFA interface"),
    ],
)
def test_an_impossible_layout_is_a_contradiction(interfaces: tuple[LaidInterface, ...], reason: str) -> None:
    found = list(replace(EFA, interfaces=interfaces).contradictions())
    assert any(reason in text for _, text in found), found


def test_a_layout_counts_the_interfaces_of_its_fullest_card() -> None:
    assert [
        CATALOG.interface_layouts[name].interfaces_per_card(8) for name in ("efa", "efa_all", "ena_primary", "off")
    ] == [
        1,
        1,
        2,
        1,
    ]


def test_an_unknown_layout_is_a_mistake_in_code() -> None:
    with pytest.raises(LookupError):
        CATALOG.interface_layouts["mesh"]
