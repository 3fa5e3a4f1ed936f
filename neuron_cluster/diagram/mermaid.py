"""A picture as a flowchart of Mermaid (https://mermaid.js.org/syntax/flowchart.html), which GitHub and others draw."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from neuron_cluster.diagram.flows import INTERNET
from neuron_cluster.diagram.model import Area, Card, Flow, Kind, Picture

INDENT = "  "
ENTITIES = str.maketrans({each: f"#{ord(each)};" for each in '#"<>&`[](){}|\\*_~'})
"""Characters with a meaning in labels, as codes: https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters"""
SHAPES = {Kind.DATA: ("[(", ")]"), Kind.COPY: ("[(", ")]"), Kind.TEAM: ("([", "])")}
PLAIN = ("[", "]")


def mermaid_text(picture: Picture) -> str:
    """Areas as subgraphs, cards as nodes, flows as edges. Ids are numbers: names may hold what Mermaid reserves."""
    ids = {each: f"n{number}" for number, each in enumerate(_ids(picture.areas), 1)}
    ids[INTERNET] = INTERNET
    lines = [
        "flowchart TB",
        f"{INDENT}accTitle: {_one_line(picture.title)}",
        f"{INDENT}accDescr: {_one_line(picture.text)}",
    ]
    for area in picture.areas:
        lines += _area(area, ids, 1)
    if any(INTERNET in flow.target.ids for flow in picture.flows):
        lines.append(f'{INDENT}{INTERNET}(("internet"))')
    for flow in picture.flows:
        lines += _edges(flow, ids)
    return "\n".join(lines) + "\n"


def _ids(items: tuple[Card | Area, ...]) -> Iterator[str]:
    for item in items:
        yield item.id
        if isinstance(item, Area):
            yield from _ids(item.items)


def _area(area: Area, ids: Mapping[str, str], depth: int) -> Iterator[str]:
    indent = INDENT * depth
    yield f'{indent}subgraph {ids[area.id]}["{_text(f"{area.kind_text} {area.title}")}"]'
    for item in area.items:
        if isinstance(item, Card):
            yield f"{indent}{INDENT}{_node(item, ids[item.id])}"
        else:
            yield from _area(item, ids, depth + 1)
    if not area.items:
        yield f'{indent}{INDENT}{ids[area.id]}e[" "]'
    yield f"{indent}end"


def _node(card: Card, name: str) -> str:
    begin, end = SHAPES.get(card.kind, PLAIN)
    texts = (card.kind_text, card.title, *card.lines, *(pips.text for pips in card.pips))
    return f'{name}{begin}"{"<br/>".join(map(_text, texts))}"{end}'


def _edges(flow: Flow, ids: Mapping[str, str]) -> Iterator[str]:
    arrow = "<-->" if flow.goes_back else "-->"
    for source, target in itertools.product(flow.source.ids, flow.target.ids):
        yield f'{INDENT}{ids[source]} {arrow}|"{_text(flow.text)}"| {ids[target]}'


def _text(text: str) -> str:
    return " ".join(text.split()).translate(ENTITIES)


def _one_line(text: str) -> str:
    """Returns the text on one line: the accessible title and description end with the line."""
    return " ".join(text.split())
