"""Python files as syntax trees: each file is parsed and walked once for all tests of this folder."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, the module first."""
    return tuple(ast.walk(_module(path)))


@cache
def statements(path: Path) -> tuple[ast.stmt, ...]:
    """Every statement of a file: a small part of its nodes, and the one with imports, names and docstrings."""
    return statements_below(_module(path))


def statements_below(node: ast.AST) -> tuple[ast.stmt, ...]:
    """Returns the statements in the blocks of a node, and in their blocks."""
    found: list[ast.stmt] = []
    around = [node]
    for each in around:  # grows
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            block = getattr(each, name, None)
            if isinstance(block, list):
                around += block
                found += (inner for inner in block if isinstance(inner, ast.stmt))
    return tuple(found)


@cache
def _module(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
