"""How hints list what may be written."""

from __future__ import annotations

from collections.abc import Iterable


def either(words: Iterable[object]) -> str:
    """``a, b or c``; empty for nothing."""
    *first, last = [str(word) for word in words] or [""]
    return f"{', '.join(first)} or {last}" if first else last


def write_one(words: Iterable[object], otherwise: str) -> str:
    """``write a or b, or …``; what is otherwise done alone, where there is nothing to choose from."""
    there = either(words)
    return f"write {there}, or {otherwise}" if there else otherwise
