"""Layouts of network interfaces: the interface type at each device index of the network cards with EFA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow

InterfaceType = Literal["interface", "efa", "efa-only"]
PLAIN: InterfaceType = "interface"
NO_ADDRESS: InterfaceType = "efa-only"


class LaidInterface(Struct, frozen=True, kw_only=True):
    """One interface on the ``first`` network card (0), or on each of the ``further`` cards with EFA."""

    cards: Literal["first", "further"]
    device_index: int
    interface_type: InterfaceType


class InterfaceLayout(SourcedRow, frozen=True, kw_only=True):
    """One layout, by its value in the environment file."""

    title: str
    interfaces: tuple[LaidInterface, ...]

    @property
    def has_efa(self) -> bool:
        return any(interface.interface_type != PLAIN for interface in self.interfaces)

    def on_cards(self, efa_cards: int) -> Iterator[tuple[int, LaidInterface]]:
        """Network card and interface, the primary one first. ``efa_cards`` is the number of cards with EFA."""
        further = range(1, efa_cards)
        for cards, wanted in (("first", range(1)), ("further", further)):
            for card in wanted:
                yield from ((card, interface) for interface in self.interfaces if interface.cards == cards)

    def interfaces_per_card(self, efa_cards: int) -> int:
        """Maximum number of interfaces on one card."""
        cards = [card for card, _ in self.on_cards(efa_cards)]
        return max(cards.count(card) for card in cards)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        places = [(interface.cards, interface.device_index) for interface in self.interfaces]
        if len(set(places)) < len(places):
            yield "interfaces", "two interfaces have the same card and device index"
        if not places or places[0] != ("first", 0) or self.interfaces[0].interface_type == NO_ADDRESS:
            yield "interfaces", "the first one is the primary: device 0 of the first card, with an address"
        for cards in ("first", "further"):
            here = [each for each in self.interfaces if each.cards == cards and each.interface_type != PLAIN]
            if len(here) != self.has_efa:
                yield "interfaces", f"with EFA each card must have one EFA interface, without it none ({cards})"
