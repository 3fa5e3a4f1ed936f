"""Instance type, EFA layout, way to buy, LNC: every combination of them, and what the catalog says of each."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from ways_to_buy import Way, ways_to_buy

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.interface_layout import InterfaceLayout
from neuron_cluster.config.machine import INSTANCE_TYPE_PATTERN, EfaLayout, Machine

SOLD_AS = {"reservation": "on_demand"}
"""Instances of a reservation are sold on demand; other kinds have the name of the catalog's purchase option."""
PLANNED = ("available", "announced")


@dataclass(frozen=True)
class Combination:
    """One node group. ``name`` counts the whole product through."""

    name: str
    row: InstanceType
    layout: InterfaceLayout
    way: Way
    lnc: int

    def __str__(self) -> str:
        return f"{self.row.name}, {self.layout.name}, {self.way}, LNC {self.lnc}"

    @property
    def family(self) -> str:
        """The part before the size: ``trn2u``, which the catalog counts as trn2, is one of its own here."""
        return self.row.name.split(".")[0]

    @property
    def machines(self) -> int:
        """The least that can be bought: one, or the instances of an UltraServer."""
        unit = self.row.ultraserver
        return unit.instances if unit is not None and self.way.kind == "ultraserver_block" else 1

    def refusals(self) -> set[str]:
        """The findings that the catalog gives reason for, each asked of its rows alone; empty: it is allowed."""
        if not re.match(INSTANCE_TYPE_PATTERN, self.row.name):
            return {"E0013"}  # a name that no instance type has; nothing else is asked then
        row = self.row
        reasons = {
            "E3018": row.status not in PLANNED,
            "E3004": self.layout.has_efa and row.efa_interfaces == 0,
            "E3060": self._is_beyond_the_cards(),
            "E3010": row.logical_nc_configs is not None and self.lnc not in row.logical_nc_configs,
            "E3012": row.purchase_modes is not None
            and SOLD_AS.get(self.way.kind, self.way.kind) not in row.purchase_modes,
            "E3041": self.way.kind == "reservation" and len(self.way.names) != (self.way.match == "targeted"),
        }
        return {finding for finding, applies in reasons.items() if applies}

    def _is_beyond_the_cards(self) -> bool:
        row = self.row
        if not row.efa_interfaces or row.network_cards is None or row.interfaces_per_card is None:
            return False
        on_card = Counter(card for card, _ in self.layout.on_cards(row.efa_interfaces))
        return max(on_card) >= row.network_cards or max(on_card.values()) > row.interfaces_per_card


def all_combinations() -> Iterator[Combination]:
    """The product of the catalog's Neuron rows and layouts and of the model's ways to buy and values of LNC."""
    catalog = load_catalog()
    rows = [row for row in catalog.instance_types if row.chip is not None]
    layouts = [catalog.interface_layouts[layout.value] for layout in EfaLayout]
    product = itertools.product(rows, layouts, ways_to_buy(), logical_nc_configs())
    for number, (row, layout, way, lnc) in enumerate(product):
        yield Combination(f"c{number:04}", row, layout, way, lnc)


def logical_nc_configs() -> Sequence[int]:
    """The values that the model takes."""
    annotated, _none = get_args(Machine.model_fields["logical_nc_config"].annotation)
    return get_args(get_args(annotated)[0])
