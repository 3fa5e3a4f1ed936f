"""Places the parts of a picture in a given width: boxes in rows, each as high as its texts need."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, structs

from neuron_cluster.diagram.boxes import Box, Line, Placed
from neuron_cluster.diagram.card_box import card_box
from neuron_cluster.diagram.flow_box import flow_box
from neuron_cluster.diagram.model import Area, Card, Flow, Kind, Picture
from neuron_cluster.diagram.text_block import KIND, TITLE, block, heading

PADDING, GAP, FLOW_GAP = 12, 12, 40
LEAST_CARD, WIDEST_CARD, LEAST_ZONE, LEAST_FLOW, WIDEST_FLOW = 168, 380, 232, 400, 640
"""Widths in pixels: below the least ones, boxes are below each other instead of side by side."""
TITLED = (Kind.STORAGE, Kind.TEAMS)
"""Areas whose title has the name of the kind."""


class Rows(Struct, frozen=True):
    """Boxes with their places, and the height of all."""

    placed: tuple[Placed, ...]
    height: float


def picture_box(picture: Picture, width: float, *, has_title: bool) -> Box:
    """The whole picture; the title of a page that has the picture is not in it."""
    lines: tuple[Line, ...] = ()
    y = 0.0
    if has_title:
        found = block(picture.title, TITLE, 0, 0, width, most=2)
        lines, y = found.lines, found.height + GAP / 2
    boxes = [area_box(area, width) for area in picture.areas]
    if picture.flows:
        boxes.append(_flows_box(picture.flows, width))
    rows = _stacked([(box,) for box in boxes], 0, y)
    return Box(style="whole", width=width, height=rows.height, lines=lines, inside=rows.placed)


def area_box(area: Area, width: float) -> Box:
    """With everything in it."""
    inner = width - 2 * PADDING
    kind = "" if area.kind in TITLED else area.kind_text
    head = heading(kind, area.title, PADDING, PADDING - 4, inner)
    lines, y = head.lines, PADDING - 4 + head.height
    if area.note:
        note = block(area.note, KIND, PADDING, y, inner, most=2)
        lines, y = (*lines, *note.lines), y + note.height
    rows = _stacked(list(_rows(area.items, inner)), PADDING, y + GAP / 2)
    end = rows.height if rows.placed else y
    style = f"area {area.kind.name.lower()}"
    return Box(style=style, width=width, height=end + PADDING, lines=lines, inside=rows.placed)


def _flows_box(flows: Sequence[Flow], width: float) -> Box:
    head = heading("", "What moves between them", PADDING, PADDING - 4, width - 2 * PADDING)
    inner = width - 2 * PADDING
    rows = _grid([functools.partial(flow_box, flow) for flow in flows], inner, LEAST_FLOW, WIDEST_FLOW, FLOW_GAP)
    placed = _stacked(list(rows), PADDING, PADDING + head.height, FLOW_GAP)
    return Box(style="area flows", width=width, height=placed.height + PADDING, lines=head.lines, inside=placed.placed)


def _rows(items: Sequence[Card | Area], width: float) -> Iterator[tuple[Box, ...]]:
    """Cards in a grid, zones side by side where they fit, other areas one below the other."""
    for kind, found in itertools.groupby(items, key=_run):
        if kind is Card:
            cards = [item for item in found if isinstance(item, Card)]
            yield from _grid([functools.partial(card_box, card) for card in cards], width, LEAST_CARD, WIDEST_CARD)
        elif kind is Kind.ZONE:
            yield from _zones([item for item in found if isinstance(item, Area)], width)
        else:
            yield from ((area_box(item, width),) for item in found if isinstance(item, Area))


def _run(item: Card | Area) -> object:
    return Card if isinstance(item, Card) else item.kind


def _grid(
    draws: Sequence[Callable[[float], Box]], width: float, least: float, widest: float, gap: float = GAP
) -> Iterator[tuple[Box, ...]]:
    """Boxes of one width in as many columns as fit, but no more than the rows need."""
    most = max(1, int((width + gap) // (least + gap)))
    columns = math.ceil(len(draws) / math.ceil(len(draws) / most))
    each = min(widest, (width - gap * (columns - 1)) / columns)
    for start in range(0, len(draws), columns):
        yield tuple(draw(each) for draw in draws[start : start + columns])


def _zones(zones: Sequence[Area], width: float) -> Iterator[tuple[Box, ...]]:
    """A zone with more cards gets more of the width."""
    spare = width - GAP * (len(zones) - 1) - LEAST_ZONE * len(zones)
    if spare < 0:
        yield from ((area_box(zone, width),) for zone in zones)
        return
    weights = [max(1, sum(1 for _ in zone.cards)) for zone in zones]
    yield tuple(
        area_box(zone, LEAST_ZONE + spare * weight / sum(weights)) for zone, weight in zip(zones, weights, strict=True)
    )


def _stacked(rows: Sequence[tuple[Box, ...]], x: float, y: float, gap: float = GAP) -> Rows:
    """Rows below each other; the boxes of a row get the height of the highest."""
    placed: list[Placed] = []
    for row in rows:
        height = max(box.height for box in row)
        left = x
        for box in row:
            placed.append(Placed(left, y, structs.replace(box, height=height)))
            left += box.width + gap
        y += height + GAP
    return Rows(tuple(placed), y - GAP if rows else y)
