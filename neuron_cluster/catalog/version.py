"""Comparison of versions: number by number, so that 2.9 is less than 2.10."""

from __future__ import annotations

VersionKey = tuple[int, ...]


def version_key(version: str) -> VersionKey:
    """``2.31.7.0`` as (2, 31, 7, 0). Raises ValueError for a text that is not numbers between dots."""
    return tuple(int(part) for part in version.split("."))


def is_within(version: str, first: str | None, below: str | None) -> bool:
    """Whether ``first`` <= version < ``below``; None: no bound. 2.29 as ``first`` includes 2.29.0.0."""
    key = version_key(version)
    return (first is None or key >= version_key(first)) and (below is None or key < version_key(below))
