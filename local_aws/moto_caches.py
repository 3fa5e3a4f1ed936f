"""What moto finds out anew at each call, although it is the same each time."""

from __future__ import annotations

import functools
import string
from typing import Any

from moto.core import serialize
from moto.core.serialize import AttributePickerContext, XFormedAttributePicker
from moto.moto_api._internal.moto_random import MotoRandom

_possible_keys = XFormedAttributePicker.get_possible_keys


class _Kind:
    """In place of an object, of which the names of its keys depend on the class alone."""


def keep_possible_keys() -> None:
    """The names under which a serializer looks for a member are found once for each shape and class."""
    setattr(XFormedAttributePicker, "get_possible_keys", kept_possible_keys)  # noqa: B010 - mypy lets no method be assigned


def kept_possible_keys(picker: XFormedAttributePicker, context: AttributePickerContext) -> tuple[str, ...]:
    """The same keys in the same order. moto tells a shape its parent when it first comes to it."""
    placed = (context.shape, getattr(context.shape, "parent", None))
    return _keys_of_class(tuple(picker.alias_providers), placed, context.key, context.obj.__class__)


@functools.cache
def _keys_of_class(providers: tuple[Any, ...], placed: tuple[Any, Any], key: str, kind: type) -> tuple[str, ...]:
    of_class = type(kind.__name__, (_Kind,), {"Meta": kind.Meta} if hasattr(kind, "Meta") else {})()
    found = _possible_keys(XFormedAttributePicker(list(providers)), AttributePickerContext(of_class, key, placed[0]))
    return tuple(dict.fromkeys(found))


def keep_valid_names() -> None:
    """xmltodict looks at each character of each element's name, in each answer."""
    names = vars(vars(serialize)["xmltodict"])
    names["_validate_name"] = functools.lru_cache(4096)(
        names["_validate_name"]
    )  # an invalid name raises, and is not kept


def make_ids_quickly() -> None:
    """moto draws the 52 characters of a request id one by one, for each answer."""
    setattr(MotoRandom, "get_random_string", _random_string)  # noqa: B010 - as above


def _random_string(
    drawn: MotoRandom,
    length: int = 20,
    include_digits: bool = True,
    lower_case: bool = False,
) -> str:
    text = "".join(drawn.choices(string.ascii_letters + string.digits * include_digits, k=length))
    return text.lower() if lower_case else text
