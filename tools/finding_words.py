"""The sentences that modules can put into findings, and those of them that no finding of a test has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[1]
SENTENCE = re.compile(r"[A-Za-z]{2,} [A-Za-z]")
"""Two words: what is shorter is a name, a key or a piece of a sentence."""
GAP = "\0"


class Sentence(Struct, frozen=True):
    """One text of the source. ``fixed`` are its parts between what only a run fills in."""

    place: str
    fixed: tuple[str, ...]

    def is_in(self, text: str) -> bool:
        position = 0
        for part in self.fixed:
            position = text.find(part, position)
            if position < 0:
                return False
            position += len(part)
        return True


def unsaid(places: Iterable[str], texts: Iterable[str]) -> list[str]:
    """The sentences of these modules that none of the texts holds.

    A place is a file, ``neuron_cluster/config/loader.py``, or a function of it, ``neuron_cluster/project.py:_unknown``.
    """
    said = list(texts)
    return [
        f"{sentence.place}: {' … '.join(sentence.fixed)}"
        for place in places
        for sentence in sentences(place)
        if not any(sentence.is_in(text) for text in said)
    ]


def sentences(place: str) -> Iterator[Sentence]:
    """Texts of a module or function that are neither docstrings nor compared with anything nor keys of a mapping."""
    file, _, function = place.partition(":")
    tree: ast.AST = ast.parse((ROOT / file).read_text("utf-8"))
    if function:
        tree = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == function)
    passed_over = {id(each) for node in ast.walk(tree) for each in _no_words(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in passed_over:
            fixed = tuple(part for part in _text(node).split(GAP) if part.strip())
            if SENTENCE.search(" ".join(fixed)):
                yield Sentence(f"{file}:{node.lineno}", fixed)


def _no_words(node: ast.AST) -> Iterator[ast.AST]:
    """Texts in a node that no reader sees, and parts of a text that is looked at as a whole."""
    match node:
        case ast.Expr(value=ast.Constant() as docstring):
            yield docstring
        case ast.Compare(comparators=compared):
            yield from (each for part in compared for each in ast.walk(part))
        case ast.Dict(keys=keys):
            yield from (each for key in keys if key is not None for each in ast.walk(key))
        case ast.JoinedStr():
            yield from (part for part in node.values if isinstance(part, ast.Constant))
        case ast.MatchValue():
            yield from ast.walk(node)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))):
            yield from ast.walk(node)
        case _:
            return


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts = (str(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values)
    return "".join(parts)
