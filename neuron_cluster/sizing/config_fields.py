"""Reads sizes out of a ``config.json``: by the names of its family, with errors that name the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.model_family import ModelFamily
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import quoted

LARGEST = 10**9
"""Of one size. The largest published one is a vocabulary of some hundred thousand."""
INSTEAD = "or describe the model with --parameters, such as --parameters 70B"


class ConfigFields:
    """The part of a ``config.json`` that describes the text model, and the family that names its fields."""

    def __init__(
        self,
        file: str,
        config: Mapping[str, Any],
        family: ModelFamily,
        *,
        is_nested: bool = False,
        instead: str = INSTEAD,
    ) -> None:
        """``is_nested``: the part is a ``text_config``, which omits what is the default of the family. ``instead`` ends
        each hint: what a user can do without the file."""
        self.file, self.config, self.family = file, config, family
        self.is_nested, self.instead = is_nested, instead

    def count(self, size: str) -> int:
        """Raises ``ToolkitError`` where the field is missing, or not a number of things."""
        found = self.optional(size)
        if found is None:
            raise ToolkitError(
                f"{self.file} has no {self.family.path(size)}, which a model of the type {self.family.name} needs",
                hint=f"add the field as the model's own config.json has it, {self.instead}",
            )
        return found

    def optional(self, size: str) -> int | None:
        """None where the field is missing or null. Raises ``ToolkitError`` for another value than a count."""
        found = self.value(size)
        if found is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= LARGEST:
            raise ToolkitError(
                f"{self.file}: {self.family.path(size)} is {quoted(str(found)[:80])}, expected a whole number from 0 "
                f"to {LARGEST:,}",
                hint=f"correct the field, {self.instead}",
            )
        return found

    def positive(self, size: str) -> int:
        """As ``count``, and above 0."""
        found = self.count(size)
        if found == 0:
            raise ToolkitError(
                f"{self.file}: {self.family.path(size)} is 0, expected a number above 0",
                hint=f"correct the field, {self.instead}",
            )
        return found

    def contradiction(self, size: str, reason: str) -> ToolkitError:
        """The error for a size that another one excludes."""
        return ToolkitError(
            f"{self.file}: {self.family.path(size)} is {self.value(size)}, {reason}",
            hint=f"correct the field, {self.instead}",
        )

    def flag(self, size: str, otherwise: bool = False) -> bool:
        found = self.value(size)
        return found if isinstance(found, bool) else otherwise

    def items(self, size: str) -> Sequence[Any]:
        """Empty where the field is not a list."""
        found = self.value(size)
        return found if isinstance(found, list) else ()

    def value(self, size: str) -> Any:
        """None where neither the file nor, for a nested part, the family has it."""
        found: Any = self.config
        path = self.family.path(size)
        for step in path.split(".") if path else ():
            found = found.get(step) if isinstance(found, Mapping) else None
        found = found if path else None
        return self.family.defaults.get(size) if found is None and self.is_nested else found
