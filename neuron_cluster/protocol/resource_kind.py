"""A CloudFormation resource type that only stacks of a provider have, as `diff` and `deploy` show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

Properties = Mapping[str, Any]


class FileKey(Struct, frozen=True):
    """A property that one key of the environment file decides."""

    property: str
    """``LustreConfiguration/DataCompressionType``; ``*`` for an item of a list."""
    path: tuple[str, ...]
    """The key; ``[]`` for the item of a list that has the name of the resource."""
    is_lower_case: bool = False
    """Whether the file has the value in lower case."""
    item_id: str = ""
    """With ``*``: the ``Id`` of the item in the template."""
    divisor: int = 1
    """The unit of the file in that of the property: 60 for minutes and seconds."""
    words: Mapping[str, str] = {}
    """The word of the file by value of the property, as text."""

    def matches(self, place: tuple[str, ...], properties: Properties) -> bool:
        """Whether the place of a value, with positions in lists, is that of the property."""
        steps = tuple(self.property.split("/"))
        if len(steps) != len(place) or any(step not in ("*", part) for step, part in zip(steps, place, strict=True)):
            return False
        return not self.item_id or self.item_id in _ids(properties, place)

    def value(self, actual: Any) -> Any:
        """The value of the key for a value of the property."""
        if self.words:
            return self.words.get(str(actual).lower(), actual)
        if self.divisor != 1:
            return actual // self.divisor if isinstance(actual, int) else actual
        return actual.lower() if self.is_lower_case and isinstance(actual, str) else actual


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
