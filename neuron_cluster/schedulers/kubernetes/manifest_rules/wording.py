"""How hints list alternatives."""

from __future__ import annotations

from collections.abc import Iterable


def either(words: Iterable[object]) -> str:
    """``a, b or c``; an empty string for no words."""
    *first, last = [str(word) for word in words] or [""]
    return f"{', '.join(first)} or {last}" if first else last


def write_one(words: Iterable[object], otherwise: str) -> str:
    """``write a or b, or …``; only ``otherwise`` where there are no words."""
    there = either(words)
    return f"write {there}, or {otherwise}" if there else otherwise
