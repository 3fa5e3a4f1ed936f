"""The box of a card."""

from __future__ import annotations

import math

from neuron_cluster.diagram.boxes import Box, Line, Marks
from neuron_cluster.diagram.model import Card, Pips
from neuron_cluster.diagram.text_block import BODY, KIND, NAME, block

PADDING = 10
MARK, STEP = 8, 11
"""Pixels of a mark, and from one to the next."""
BELOW_MARKS = 5
MOST_LINES = 3
"""The maximum of lines of one text; a longer one is shortened."""
MOST_NAMES = 4
"""Lines for the names of compute groups that share a card."""


def card_box(card: Card, width: float) -> Box:
    """As high as its texts need."""
    inner = width - 2 * PADDING
    lines: list[Line] = []
    marks: list[Marks] = []
    y = PADDING - 2.0
    for text, face, most in ((card.kind_text, KIND, 1), (card.title, NAME, 2)):
        found = block(text, face, PADDING, y, inner, most=most)
        lines += found.lines
        y += found.height
    texts: list[tuple[str, Pips | None, int]] = [(text, None, MOST_LINES) for text in card.lines]
    texts += [(pips.text, pips, MOST_LINES) for pips in card.pips]
    texts += [(", ".join(card.members), None, MOST_NAMES)] if len(card.members) > 1 else []
    for text, pips, most in texts:
        found = block(text, BODY, PADDING, y, inner, most=most)
        lines += found.lines
        y += found.height
        if pips is not None:
            beside = max(1, int(inner // STEP))
            marks.append(Marks(PADDING, y + 3, pips, beside))
            y += 3 + math.ceil(pips.total / beside) * STEP + BELOW_MARKS
    return Box(
        style=f"card {card.kind.name.lower()}",
        width=width,
        height=y + PADDING - 2,
        lines=tuple(lines),
        marks=tuple(marks),
    )
