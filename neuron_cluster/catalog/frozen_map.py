"""A read-only mapping that can be hashed, so that a row with one is immutable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Value_co = TypeVar("Value_co", covariant=True)


class FrozenMap(Mapping[Key, Value_co]):
    """Keeps the order of the data file. Compares equal to any mapping with the same pairs."""

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Mapping[Key, Value_co] | None = None) -> None:
        self._pairs = dict(pairs or {})

    def __getitem__(self, key: Key) -> Value_co:
        return self._pairs[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def __hash__(self) -> int:
        return hash(frozenset(self._pairs.items()))

    def __repr__(self) -> str:
        return f"FrozenMap({self._pairs!r})"
