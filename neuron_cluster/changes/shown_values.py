"""Values of templates and files as a message shows them: short, and of two that differ what differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from neuron_cluster.changes.effects import normal_text

MAX_SHOWN = 60
"""Characters of a value in a message."""
LONGEST_WORD = 20
"""Characters of a word that is shown as a whole where a part of it differs."""
CHECKSUM = re.compile(r"(?<!sha256:)\b[0-9a-f]{32,}\b")
"""The checksum of a file that instances fetch; the digest of an image is a value that people write."""
SAME = "…"
"""Stands for what is cut off, or the same in both."""


def shown(value: Any) -> str:
    """A value in the normal form as a message shows it."""
    return _cut(_words(value))


def shown_pair(old: Any, new: Any) -> tuple[str, str]:
    """Two different values: whole where both are short, else the items, keys or lines that differ."""
    old, new = _joined(old), _joined(new)
    if max(len(_words(old)), len(_words(new))) <= MAX_SHOWN:
        return _words(old), _words(new)
    if (pair := _counts(old, new)) is not None:
        return pair
    if isinstance(old, list) and isinstance(new, list):
        return _items(old, new)
    if isinstance(old, dict) and isinstance(new, dict):
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        return _marked([{key: side[key] for key in keys if key in side} for side in (old, new)])
    if isinstance(old, str) and isinstance(new, str):
        return _texts(old, new)
    return shown(old), shown(new)


def _counts(old: Any, new: Any) -> tuple[str, str] | None:
    """Numbers of entries, of lists with objects that would be cut in the middle; None for other values."""
    sides = [side for side in (old, new) if side is not None]
    if not all(isinstance(side, list) and all(isinstance(item, dict) for item in side) for side in sides):
        return None
    if old is not None and new is not None and abs(len(old) - len(new)) <= 1 and max(map(len, sides)) > 1:
        return None  # the item that differs is shown
    counts = [
        "nothing" if side is None else ("1 entry" if len(side) == 1 else f"{len(side)} entries") for side in (old, new)
    ]
    return (counts[0], counts[1]) if counts[0] != counts[1] else None


def _items(old: list[Any], new: list[Any]) -> tuple[str, str]:
    gone, come = [item for item in old if item not in new], [item for item in new if item not in old]
    if not gone and not come:  # the same ones in another order, or one of them twice
        return _texts(_words(old), _words(new))
    if len(gone) == len(come) == 1:
        return shown_pair(gone[0], come[0])
    return _marked([gone, come])


def _marked(sides: Sequence[Any]) -> tuple[str, str]:
    """Returns the parts that only one side has, behind a mark for the rest."""
    texts = [_words(side)[1:-1] for side in sides]
    before, after = (_cut(f"{SAME}, {each}" if each else SAME) for each in texts)
    return (before, after) if before != after else _texts(*texts)


def _texts(old: str, new: str) -> tuple[str, str]:
    """The part between the common beginning and end: whole lines of texts that have several."""
    if CHECKSUM.sub("", old) == CHECKSUM.sub("", new):
        return "a checksum", "another checksum"
    is_block = "\n" in old and "\n" in new
    sides: list[Sequence[str]] = [side.splitlines() if is_block else side for side in (old, new)]
    start = _common(*sides)
    end = _common(*(side[start:][::-1] for side in sides))
    if not is_block:  # whole words: a path is not cut in the middle of a folder's name
        start -= _rest_of_word(old[:start][::-1])
        end -= _rest_of_word(old[len(old) - end :])
    between = [("; " if is_block else "").join(side[start : len(side) - end]) for side in sides]
    before, after = (_cut(f"{SAME if start else ''}{each}{SAME if end and each else ''}") for each in between)
    if before == after:  # more characters differ than are shown, or none but a break at the end
        return f"{shown(old)} ({len(old)} characters)", f"{shown(new)} ({len(new)} characters)"
    return before, after


def _rest_of_word(text: str) -> int:
    """Length of the word with which the text continues; 0 for one that is too long to be a name."""
    length = next((position for position, each in enumerate(text) if not each.isalnum()), len(text))
    return length if length <= LONGEST_WORD else 0


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many parts are the same from the beginning on."""
    same = (position for position, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    return next(same, min(len(old), len(new)))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + SAME


def _words(value: Any) -> str:
    return "nothing" if value is None else normal_text(_joined(value))


def _joined(value: Any) -> Any:
    """Texts that a template joins, as the text that comes of it; pseudo parameters by their names."""
    match value:
        case {"Fn::Join": [str(separator), [*parts]]}:
            return separator.join(normal_text(_joined(part)).strip('"') for part in parts)
        case {"Ref": str(name)} if name.startswith("AWS::"):
            return f"${{{name}}}"
        case dict():
            return {key: _joined(item) for key, item in value.items()}
        case list():
            return [_joined(item) for item in value]
        case _:
            return value
