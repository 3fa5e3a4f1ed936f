"""The box of a flow: both ends, an arrow between them, and what moves above the arrow."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.diagram.boxes import Arrow, Box, Line, Placed, Span
from neuron_cluster.diagram.model import Flow
from neuron_cluster.diagram.text_block import BODY, KIND, block
from neuron_cluster.diagram.text_width import wrapped

END_SHARE = 0.33
"""The share of the width for each end."""
PADDING = 8
GAP = 5
"""Between an end and the arrow."""
MOST_LINES = 4


def flow_box(flow: Flow, width: float) -> Box:
    end_width = round(width * END_SHARE)
    left, right = _end(flow.source.title, end_width), _end(flow.target.title, end_width)
    middle = width - 2 * end_width - 2 * GAP
    label = wrapped(flow.text, middle, KIND.size, most=MOST_LINES)
    label_height = len(label) * KIND.line
    height = max(left.height, right.height, label_height + 12)
    arrow_y = max(height / 2, label_height + 6)
    x = end_width + GAP
    lines = tuple(
        Line(
            x + middle / 2,
            arrow_y - 6 - (len(label) - 1 - number) * KIND.line,
            (Span(word, KIND.style),),
            "" if len(" ".join(label)) == len(flow.text) else flow.text,
            is_centred=True,
        )
        for number, word in enumerate(label)
    )
    return Box(
        style="flow",
        width=width,
        height=height,
        lines=lines,
        arrows=(Arrow(x, arrow_y, middle, flow.goes_back),),
        inside=(
            Placed(0, 0, structs.replace(left, height=height)),
            Placed(width - end_width, 0, structs.replace(right, height=height)),
        ),
    )


def _end(title: str, width: float) -> Box:
    found = block(title, BODY, PADDING, PADDING - 2, width - 2 * PADDING, most=MOST_LINES)
    return Box(style="card end", width=width, height=found.height + 2 * PADDING - 4, lines=found.lines)
