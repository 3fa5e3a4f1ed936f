"""A CloudFormation resource type that only stacks of a provider have, as `diff` and `deploy` show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

Properties = Mapping[str, Any]


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
