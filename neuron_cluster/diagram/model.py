"""The contents of a picture, without any position: areas with cards, and the flows between them."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from msgspec import Struct


class Kind(enum.Enum):
    """The kind of a card or area; drawings print the value, so that colour is never the only difference."""

    REGION = "Region"
    VPC = "VPC"
    ZONE = "Availability Zone"
    PUBLIC = "public subnet"
    PRIVATE = "private subnet"
    SECONDARY = "secondary subnet"
    SEVERAL_ZONES = "private subnets of several zones"
    STORAGE = "storage"
    TEAMS = "teams"
    CLUSTER = "cluster"
    INTERFACE = "network interface"
    GROUP = "compute group"
    WORKSTATION = "workstation"
    DATA = "data"
    COPY = "copy"
    GATEWAY = "gateway"
    ENDPOINTS = "VPC endpoints"
    TEAM = "team"


class Pips(Struct, frozen=True):
    """Small marks that are counted at a glance: one for each device or network card of an instance."""

    total: int
    filled: int
    """The rest are drawn empty."""
    text: str
    """The same in words."""
    is_round: bool = False
    """Circles, else squares."""


class Card(Struct, frozen=True, kw_only=True):
    """One thing. ``id`` is unique in a picture."""

    id: str
    kind: Kind
    title: str
    label: str = ""
    """In the place of the name of the kind."""
    lines: tuple[str, ...] = ()
    pips: tuple[Pips, ...] = ()
    members: tuple[str, ...] = ()
    """Names of all where the card is for several that are alike."""

    @property
    def kind_text(self) -> str:
        return self.label or self.kind.value


class Area(Struct, frozen=True, kw_only=True):
    """Something that contains cards and areas."""

    id: str
    kind: Kind
    title: str
    label: str = ""
    """In the place of the name of the kind."""
    note: str = ""
    items: tuple[Card | Area, ...] = ()

    @property
    def kind_text(self) -> str:
        return self.label or self.kind.value

    @property
    def cards(self) -> Iterator[Card]:
        """The cards of the area and of areas in it, in their order."""
        for item in self.items:
            if isinstance(item, Card):
                yield item
            else:
                yield from item.cards


class End(Struct, frozen=True):
    """One end of a flow: its name, and the ids of the cards or areas that it stands for."""

    title: str
    ids: tuple[str, ...]


class Flow(Struct, frozen=True):
    """A flow from one end to the other."""

    source: End
    target: End
    text: str
    goes_back: bool = False
    """Whether it moves the other way too."""


class Picture(Struct, frozen=True):
    title: str
    text: str
    """The picture in a sentence or two."""
    areas: tuple[Area, ...]
    flows: tuple[Flow, ...]

    @property
    def cards(self) -> Iterator[Card]:
        """All of them, in reading order."""
        for area in self.areas:
            yield from area.cards
