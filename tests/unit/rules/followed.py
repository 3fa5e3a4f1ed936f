"""A case whose hint was followed, and whether the hint says what was done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import structs
from rule_fixture import DELETE, Case, key_path
from rule_follow import Follow, placed

REMOVAL = re.compile(r"\b(remove|leave|without|keep the first|keep one|take the group out|turn .* off|one group)\b")


def with_step(case: Case, edits: dict[str, Any]) -> Case:
    """The case after one more edit."""
    return structs.replace(case, steps=(*case.steps, edits))


def followed(case: Case, follow: Follow, place: str) -> Case:
    """The case after the edits of a hint about a place."""
    return with_step(case, placed(follow.edits | follow.yours, place))


def not_in_hint(case: Case, follow: Follow, place: str, hint: str) -> list[str]:
    """What the fixture does and the hint does not say: keys, and values that were not there before."""
    edits, yours = placed(follow.edits, place), placed(follow.yours, place)
    return [
        *(said for path, value in edits.items() for said in _unsaid(case, path, value, hint)),
        *(key for path in (*edits, *yours) if (key := _key(path, place)) and not _has_key(hint, key)),
    ]


def unsaid_step(case: Case, edits: dict[str, Any], hints: list[tuple[str, str]]) -> list[str]:
    """The same of an edit that answers new findings; ``hints`` are places and hints of those that there are."""
    flaws = [not_in_step(case, edits, place, hint) for place, hint in hints]
    return min(flaws, key=len) if flaws else ["no finding"]


def not_in_step(case: Case, edits: dict[str, Any], place: str, hint: str) -> list[str]:
    unsaid = [said for path, value in edits.items() for said in _unsaid(case, path, value, hint)]
    return unsaid + [key for path in edits if (key := _key(path, place)) and not _has_key(hint, key)]


def _unsaid(case: Case, path: str, value: Any, hint: str) -> Iterator[str]:
    if value == DELETE:
        if not REMOVAL.search(hint):
            yield "a removal"
        return
    had = {str(leaf) for leaf in _leaves(_at(case.tree(), path))}
    yield from (str(leaf) for leaf in _leaves(value) if str(leaf) not in had and not _has_word(hint, _spelt(leaf)))


def _key(path: str, place: str) -> str:
    """The key that a hint must name: none for the place of the finding itself and for what holds it."""
    if path == place or place.startswith((f"{path}.", f"{path}[")) or path.startswith(f"{place}["):
        return ""
    return next(str(part) for part in reversed(key_path(path)) if isinstance(part, str))


def _at(tree: Any, path: str) -> Any:
    for part in key_path(path):
        try:
            tree = tree[part]
        except (KeyError, IndexError, TypeError):
            return None
    return tree


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
