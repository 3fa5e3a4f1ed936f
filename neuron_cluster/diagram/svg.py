"""A picture as SVG: no script, no font, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from neuron_cluster.diagram.boxes import Arrow, Box, Line, Marks
from neuron_cluster.diagram.card_box import MARK, STEP
from neuron_cluster.diagram.layout import picture_box
from neuron_cluster.diagram.model import Picture
from neuron_cluster.diagram.style import STYLE

WIDTH = 1160
"""Pixels of a file of its own."""
MARGIN = 16
HEAD = 7
"""Length of the head of an arrow."""
ROUND = 6


def svg_file(picture: Picture) -> str:
    """A file of its own, with its style and a background, in ASCII: no terminal can break it."""
    box = picture_box(picture, WIDTH, has_title=True)
    width, height = WIDTH + 2 * MARGIN, box.height + 2 * MARGIN
    size = f'viewBox="{-MARGIN} {-MARGIN} {_number(width)} {_number(height)}"'
    back = (
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{_number(width)}" height="{_number(height)}" '
        'style="fill:var(--paper);stroke:none"/>'
    )
    text = _element(picture, box, size, width, height, "picture", [f"<style>\n{STYLE}</style>", back])
    return text.encode("ascii", "xmlcharrefreplace").decode()


def svg_element(picture: Picture, width: int, name: str) -> str:
    """An element of a page that has the style; ``name`` is its class, and the beginning of its ids."""
    box = picture_box(picture, width, has_title=False)
    size = f'viewBox="-1 -1 {width + 2} {_number(box.height + 2)}"'
    return _element(picture, box, size, width + 2, box.height + 2, name, [])


def _element(picture: Picture, box: Box, size: str, width: float, height: float, name: str, first: list[str]) -> str:
    classes = "picture" if name == "picture" else f"picture {name}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{classes}" role="img" {size} width="{_number(width)}" '
        f'height="{_number(height)}" aria-labelledby="{name}-title {name}-text">'
    )
    parts = [
        head,
        f'<title id="{name}-title">{escape(picture.title)}</title>',
        f'<desc id="{name}-text">{escape(picture.text)}</desc>',
        *first,
        *_box(box, 0, 0),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(box: Box, x: float, y: float) -> Iterator[str]:
    """The box, its texts and marks, then what is inside."""
    if box.style not in ("whole", "flow"):
        size = f'width="{_number(box.width)}" height="{_number(box.height)}"'
        yield f'<rect class="{box.style}" x="{_number(x)}" y="{_number(y)}" {size} rx="{ROUND}"/>'
    yield from (_line(line, x, y) for line in box.lines)
    for marks in box.marks:
        yield from _marks(marks, x + marks.x, y + marks.y)
    yield from (_arrow(arrow, x + arrow.x, y + arrow.y) for arrow in box.arrows)
    for placed in box.inside:
        yield from _box(placed.box, x + placed.x, y + placed.y)


def _line(line: Line, x: float, y: float) -> str:
    place = f'x="{_number(x + line.x)}" y="{_number(y + line.y)}"'
    middle = ' text-anchor="middle"' if line.is_centred else ""
    whole = f"<title>{escape(line.whole)}</title>" if line.whole else ""
    first, *rest = line.spans
    if not rest:
        return f'<text class="{first.style}" {place}{middle}>{whole}{escape(first.text)}</text>'
    spans = "".join(f'<tspan class="{span.style}">{escape(span.text)}</tspan>' for span in line.spans)
    return f"<text {place}{middle}>{whole}{spans}</text>"


def _marks(marks: Marks, x: float, y: float) -> Iterator[str]:
    """One path for those that are filled, and one for the others."""
    kinds = (("full", range(marks.pips.filled)), ("empty", range(marks.pips.filled, marks.pips.total)))
    for style, numbers in kinds:
        shapes = "".join(
            _mark(x + number % marks.beside * STEP, y + number // marks.beside * STEP, is_round=marks.pips.is_round)
            for number in numbers
        )
        if shapes:
            yield f'<path class="{style}" d="{shapes}"/>'


def _mark(x: float, y: float, *, is_round: bool) -> str:
    if is_round:
        radius = MARK / 2
        arc = f"a{_number(radius)} {_number(radius)} 0 1 0"
        return f"M{_number(x)} {_number(y + radius)}{arc} {MARK} 0{arc} {-MARK} 0z"
    return f"M{_number(x)} {_number(y)}h{MARK}v{MARK}h{-MARK}z"


def _arrow(arrow: Arrow, x: float, y: float) -> str:
    end = x + arrow.width
    line = f'<path class="arrow" d="M{_number(x)} {_number(y)}H{_number(end - 1)}"/>'
    heads = _head(end, y, -HEAD) + (_head(x, y, HEAD) if arrow.goes_back else "")
    return f'{line}<path class="head" d="{heads}"/>'


def _head(x: float, y: float, back: float) -> str:
    return f"M{_number(x)} {_number(y)}l{_number(back)} -4v8z"


def _number(value: float) -> str:
    """With one decimal place at most, so that every machine writes the same."""
    return f"{value:.1f}".removesuffix(".0")
