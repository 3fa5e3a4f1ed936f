"""JSON patches of UpdateResource: what they add, replace and remove (RFC 6902)."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

VERBS = frozenset({"add", "remove", "replace"})


def patched(document: Mapping[str, Any], patch: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The document after the patch. Raises ValueError for one that is not valid, or does not fit."""
    result = dict(copy.deepcopy(document))
    for each in patch:
        if each.get("op") not in VERBS or not str(each.get("path", "")).startswith("/"):
            raise ValueError(f"{each} is not an operation with add, remove or replace, and a path")
        *outer, last = [_step(step) for step in each["path"].split("/")[1:]]
        try:
            place: Any = result
            for step in outer:
                place = place[int(step)] if isinstance(place, list) else place[step]
            _apply(place, last, each)
        except (IndexError, KeyError, TypeError) as error:
            raise ValueError(f"{each['path']} does not exist") from error
    return result


def _step(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _apply(place: Any, last: str, each: Mapping[str, Any]) -> None:
    key: Any = last if isinstance(place, dict) else len(place) if last == "-" else int(last)
    if each["op"] == "remove":
        del place[key]
    elif each["op"] == "add" and isinstance(place, list):
        place.insert(key, each["value"])
    else:
        place[key] = each["value"]
