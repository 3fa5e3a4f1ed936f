"""A case whose hint was followed, and whether the hint says what was done."""

from __future__ import annotations

from typing import Any

from hint_words import unsaid
from msgspec import structs
from rule_fixture import Case, key_path
from rule_follow import Follow, placed
from tree_edit import Path


def followed(case: Case, follow: Follow, place: str) -> Case:
    """The case after the edits of a hint about a place."""
    return structs.replace(case, steps=(*case.steps, placed(follow.edits | follow.yours, place)))


def not_in_hint(case: Case, follow: Follow, place: str, hint: str) -> list[str]:
    """Returns the edits of the fixture that the hint of the finding at this place does not state."""
    return _unsaid(case, follow, place, place, hint)


def unsaid_step(case: Case, step: Follow, place: str, hints: list[tuple[str, str]]) -> list[str]:
    """The same of a step that answers new findings; ``hints`` are places and hints of those that there are."""
    flaws = [_unsaid(case, step, place, new_place, hint) for new_place, hint in hints]
    return min(flaws, key=len) if flaws else ["no finding"]


def _unsaid(case: Case, follow: Follow, written_for: str, place: str, hint: str) -> list[str]:
    edits, yours = (_by_path(placed(each, written_for)) for each in (follow.edits, follow.yours))
    return unsaid(case.tree(), edits, _path(place), hint, yours=yours)


def _by_path(edits: dict[str, Any]) -> dict[Path, Any]:
    return {_path(path): value for path, value in edits.items()}


def _path(path: str) -> Path:
    return tuple(key_path(path))
