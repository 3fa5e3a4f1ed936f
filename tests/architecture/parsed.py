"""Python files as syntax trees: each file is parsed and walked once for all tests of this folder."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, the module first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
