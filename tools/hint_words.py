"""Whether a hint says what an edit does: the key that it writes, the values that are new there, a removal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tree_edit import DELETE, Path, at

REMOVAL = re.compile(r"\b(remove|leave|without|keep the first|keep one|take the group out|turn .* off|one group)\b")

NOTHING: Mapping[Path, Any] = MappingProxyType({})


def last_key(path: Path, _value: Any) -> tuple[str, ...]:
    """The words that name a place, of which a hint must have one: its last key."""
    return (next(str(part) for part in reversed(path) if isinstance(part, str)),)


def unsaid(
    tree: Any,
    edits: Mapping[Path, Any],
    place: Path,
    hint: str,
    *,
    yours: Mapping[Path, Any] = NOTHING,
    named: Callable[[Path, Any], tuple[str, ...]] = last_key,
) -> list[str]:
    """Returns edits of a fixture that the hint of a finding does not state: keys, and values that are new.

    ``place`` is that of the finding; its own key goes without saying, and so do those of what holds it. ``yours`` are
    edits whose values only the user knows.
    """
    values = [said for path, value in edits.items() for said in _unsaid_values(tree, path, value, hint)]
    written = {**edits, **yours}
    keys = [named(path, value) for path, value in written.items() if not _goes_without_saying(path, place)]
    return values + [names[0] for names in keys if not any(_has_key(hint, word) for word in names)]


def _unsaid_values(tree: Any, path: Path, value: Any, hint: str) -> Iterator[str]:
    if value == DELETE:
        if not REMOVAL.search(hint):
            yield "a removal"
        return
    had = {str(leaf) for leaf in _leaves(at(tree, path))}
    yield from (str(leaf) for leaf in _leaves(value) if str(leaf) not in had and not _has_word(hint, _spelt(leaf)))


def _goes_without_saying(path: Path, place: Path) -> bool:
    return path == place[: len(path)] or (path[: len(place)] == place and isinstance(path[len(place)], int))


def _leaves(value: Any) -> Iterator[Any]:
    """Scalars, and the keys of mappings; nothing of what is not there."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif value is not None:
        yield value


def _spelt(leaf: Any) -> str:
    return str(leaf).lower() if isinstance(leaf, bool) else str(leaf)


def _has_word(hint: str, word: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\w)", hint) is not None or _has_key(hint, word)


def _has_key(hint: str, key: str) -> bool:
    """``nat`` is said by ``network.nat``, and ``sdk`` by ``Neuron SDK``."""
    return re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", hint, re.IGNORECASE) is not None
