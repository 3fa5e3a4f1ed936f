"""How hints list alternatives."""

from __future__ import annotations

from collections.abc import Iterable


def either(values: Iterable[object]) -> str:
    """``a, b or c``; an empty string for no words."""
    *first, last = [str(word) for word in values] or [""]
    return f"{', '.join(first)} or {last}" if first else last


def write_one(values: Iterable[object], otherwise: str) -> str:
    """``write a or b, or …``; only ``otherwise`` where there are no words."""
    there = either(values)
    return f"write {there}, or {otherwise}" if there else otherwise
