"""Boxes with positions and nothing left to decide: what `layout` makes and `svg` writes."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.diagram.model import Pips


class Span(Struct, frozen=True):
    """A part of a line in one face; ``style`` is a class of the style sheet."""

    text: str
    style: str


class Line(Struct, frozen=True):
    """A line of text. ``y`` is its baseline; both are relative to the box."""

    x: float
    y: float
    spans: tuple[Span, ...]
    whole: str = ""
    """The text before it was shortened; empty where nothing is left out."""
    is_centred: bool = False


class Marks(Struct, frozen=True):
    """Devices or network cards as small marks; ``y`` is their upper edge."""

    x: float
    y: float
    pips: Pips
    beside: int
    """How many a row has."""


class Arrow(Struct, frozen=True):
    """A horizontal one."""

    x: float
    y: float
    width: float
    goes_back: bool


class Box(Struct, frozen=True, kw_only=True):
    style: str
    """Classes of the style sheet."""
    width: float
    height: float
    lines: tuple[Line, ...] = ()
    marks: tuple[Marks, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    inside: tuple[Placed, ...] = ()


class Placed(Struct, frozen=True):
    """A box at its place in another one."""

    x: float
    y: float
    box: Box
