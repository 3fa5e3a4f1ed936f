"""Lines of text one below the other, as a box shows them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.diagram.boxes import Line, Span
from neuron_cluster.diagram.text_width import text_width, wrapped


class Face(Struct, frozen=True):
    """A size of text in pixels, with the distance of its lines."""

    style: str
    size: int
    line: int
    bold: bool = False


TITLE = Face("title", 18, 30, bold=True)
NAME = Face("name", 14, 20, bold=True)
BODY = Face("body", 13, 18)
KIND = Face("kind", 12, 17)


class Block(Struct, frozen=True):
    """Lines and their height together."""

    lines: tuple[Line, ...]
    height: float


def block(text: str, face: Face, x: float, y: float, width: float, *, most: int) -> Block:
    """``text`` from ``y`` down in at most ``most`` lines."""
    parts = wrapped(text, width, face.size, most=most, bold=face.bold)
    is_cut = "".join(parts).replace(" ", "") != "".join(text.split())
    lines = (
        Line(x, y + (number + 1) * face.line - (face.line - face.size) / 2 - 2, (Span(part, face.style),))
        for number, part in enumerate(parts)
    )
    return Block(tuple(_with_whole(lines, text if is_cut else "")), len(parts) * face.line)


def _with_whole(lines: Iterator[Line], whole: str) -> Iterator[Line]:
    for line in lines:
        yield Line(line.x, line.y, line.spans, whole)


def heading(kind: str, title: str, x: float, y: float, width: float) -> Block:
    """The name of a kind, if any, and a title on one line, or below each other where they are too wide."""
    if not kind:
        return block(title, NAME, x, y, width, most=2)
    gap = text_width(" ", KIND.size) * 2
    if text_width(kind, KIND.size) + gap + text_width(title, NAME.size, bold=True) <= width:
        spans = (Span(f"{kind} ", KIND.style), Span(title, NAME.style))
        return Block((Line(x, y + NAME.line - 5, spans),), NAME.line)
    above = block(kind, KIND, x, y, width, most=1)
    below = block(title, NAME, x, y + above.height, width, most=2)
    return Block((*above.lines, *below.lines), above.height + below.height)
