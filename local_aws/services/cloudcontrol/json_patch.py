"""JSON patches of UpdateResource: the six operations of RFC 6902.

Source: https://docs.aws.amazon.com/cloudcontrolapi/latest/userguide/resource-operations-update.html
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

INDEX = re.compile(r"0|[1-9][0-9]*")
END = "-"
"""The step that is behind the last item of a list."""
NOT_THAT = (AttributeError, IndexError, KeyError, TypeError)
"""What comes of members that are missing or of another type, and of paths that lead nowhere."""


def patched(document: Mapping[str, Any], patch: Sequence[Any]) -> dict[str, Any]:
    """The document after the patch. Raises ValueError for one that is not valid, or does not fit."""
    result = copy.deepcopy(dict(document))
    for each in patch:
        try:
            OPERATIONS[each["op"]](result, each)
        except NOT_THAT as error:
            raise ValueError(f"{json.dumps(each)} is not an operation on something that exists") from error
    return result


def _add(document: Any, each: Mapping[str, Any]) -> None:
    _put(document, each["path"], each["value"])


def _remove(document: Any, each: Mapping[str, Any]) -> None:
    place, key = _place(document, each["path"])
    del place[key]


def _replace(document: Any, each: Mapping[str, Any]) -> None:
    _remove(document, each)
    _add(document, each)


def _move(document: Any, each: Mapping[str, Any]) -> None:
    value = _value(document, each["from"])
    _remove(document, {"path": each["from"]})
    _put(document, each["path"], value)


def _copy(document: Any, each: Mapping[str, Any]) -> None:
    _put(document, each["path"], copy.deepcopy(_value(document, each["from"])))


def _test(document: Any, each: Mapping[str, Any]) -> None:
    if _value(document, each["path"]) != each["value"]:
        raise ValueError(f"{each['path']} is not {json.dumps(each['value'])}")


OPERATIONS: Mapping[str, Callable[[Any, Mapping[str, Any]], None]] = {
    "add": _add,
    "remove": _remove,
    "replace": _replace,
    "move": _move,
    "copy": _copy,
    "test": _test,
}


def _value(document: Any, path: str) -> Any:
    place, key = _place(document, path)
    return place[key]


def _put(document: Any, path: str, value: Any) -> None:
    place, key = _place(document, path)
    if not isinstance(place, list):
        place[key] = value
    elif key > len(place):
        raise IndexError(key)
    else:
        place.insert(key, value)


def _place(document: Any, path: str) -> tuple[Any, Any]:
    """The object or list that the path ends in, and the key or index there."""
    if not path.startswith("/"):
        raise ValueError(f"the path {path} does not start with /")
    *outer, last = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    place = document
    for step in outer:
        place = place[_key(place, step)]
    return place, _key(place, last)


def _key(place: Any, step: str) -> Any:
    """The step itself, or the index that it is in a list. Raises IndexError where it is none."""
    if not isinstance(place, list):
        return step
    if step == END:
        return len(place)
    if INDEX.fullmatch(step) is None:
        raise IndexError(step)
    return int(step)
