"""A CloudFormation resource type that only stacks of a provider have, as `diff` and `deploy` show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

Properties = Mapping[str, Any]


class FileKey(Struct, frozen=True):
    """A property that one key of the environment file decides."""

    property: str
    """``LustreConfiguration/DataCompressionType``; ``*`` for an item of a list, or a key of a mapping."""
    path: tuple[str, ...]
    """The key; ``[]`` for the item of a list that has the name of the resource, a last ``*`` for that of a mapping."""
    is_lower_case: bool = False
    """Whether the file has the value in lower case."""
    item_id: str = ""
    """With ``*``: the ``Id`` of the item in the template."""
    divisor: int = 1
    """The unit of the file in that of the property: 60 for minutes and seconds."""
    words: Mapping[str, str] = {}
    """The word of the file by value of the property, as text."""
    of: tuple[str, str] = ("", "")
    """A property of the resources that have the key, and a regular expression of its value, whose group is the name of
    the item for ``[]``; without it the key is that of each resource of the type."""
    items: Callable[[Sequence[Any], Sequence[Any]], Sequence[Any] | None] | None = None
    """Items of the file for those of the template and of the service, of a list as a whole; None where no items of the
    file give the latter."""

    def matches(self, place: tuple[str, ...], properties: Properties) -> bool:
        """Whether the place of a value, with positions in lists, is that of the property; in a list as a whole too."""
        steps = self.steps()
        if self.items is not None:
            place = place[: len(steps)]
        if len(steps) != len(place) or any(step not in ("*", part) for step, part in zip(steps, place, strict=True)):
            return False
        if self.item_name(properties) is None:
            return False
        return not self.item_id or self.item_id in _ids(properties, place)

    def steps(self) -> tuple[str, ...]:
        return tuple(self.property.split("/"))

    def item_name(self, properties: Properties) -> str | None:
        """The name in the property of ``of``, empty without one; None for another resource."""
        at, pattern = self.of
        found = re.fullmatch(pattern, str(value_of(properties, at.split("/")) if at else ""))
        return None if found is None else "".join(found.groups())

    def value(self, actual: Any) -> Any:
        """The value of the key for a value of the property; None where no value gives it."""
        if self.words:
            return self.words.get(str(actual).lower(), actual)
        if isinstance(actual, float) and actual.is_integer():
            actual = int(actual)
        if self.divisor != 1:
            return actual // self.divisor if isinstance(actual, int) and actual % self.divisor == 0 else None
        return actual.lower() if self.is_lower_case and isinstance(actual, str) else actual


def value_of(properties: Any, steps: Sequence[str]) -> Any:
    """The value at a path, which may have positions in lists; None where there is none."""
    for step in steps:
        if isinstance(properties, Mapping):
            properties = properties.get(step)
        elif isinstance(properties, list) and step.isdigit() and int(step) < len(properties):
            properties = properties[int(step)]
        else:
            return None
    return properties


def _ids(properties: Any, place: tuple[str, ...]) -> set[str]:
    """Ids of the items of lists on the way to a place."""
    found = set()
    for step in place:
        properties = properties[int(step)] if isinstance(properties, list) else properties.get(step, {})
        if isinstance(properties, Mapping) and "Id" in properties:
            found.add(str(properties["Id"]))
    return found


class ResourceKind(Struct, frozen=True, kw_only=True):
    type: str
    noun: str
    """``the node group``."""
    name: Callable[[Properties], str]
    """The resource's own name; empty where the template does not have it."""
    key: tuple[str, ...] = ()
    """Key of the file that makes it; empty where that is the key of its stack."""
    is_item: bool = False
    """Whether the key is a list, of which it is the item with its name."""
    unique: tuple[tuple[str, ...], ...] = ()
    """Properties that no two resources of the type may share."""

    subnets: str = ""
    """The property with its subnets, where other subnets replace it under another name."""
    file_keys: tuple[FileKey, ...] = ()
    """Its properties that one key decides."""
    has_replacement_guard: bool = False
    """Whether a guard of the provider reports its replacement, and all that refers to it with it."""

    def item_name(self, properties: Properties, logical_id: str) -> str:
        return self.name(properties) or (logical_id if self.is_item else "")

    def display_name(self, properties: Properties, logical_id: str) -> str:
        """``the node group trn1``; empty where the template does not have its name."""
        name = self.item_name(properties, logical_id)
        return f"{self.noun} {name}" if name else ""


def text_property(key: str) -> Callable[[Properties], str]:
    """The value of a property; empty where it is absent, or known only to AWS."""
    return lambda properties: value if isinstance(value := properties.get(key), str) else ""
