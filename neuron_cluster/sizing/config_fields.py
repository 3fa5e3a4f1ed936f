"""Reads sizes out of a ``config.json``: by the names of its family, with errors that name the field."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.model_family import ModelFamily
from neuron_cluster.errors import ToolkitError
from neuron_cluster.findings.text import quoted

LARGEST = 10**9
"""The maximum of one size. The largest published one is a vocabulary of some hundred thousand."""
INSTEAD = "or describe the model with --parameters, such as --parameters 70B"


class ConfigFields:
    """The part of a ``config.json`` that describes the text model, and the family that names its fields."""

    def __init__(
        self,
        file: str,
        config: Mapping[str, Any],
        family: ModelFamily,
        catalog: Catalog,
        *,
        is_nested: bool = False,
        instead: str = INSTEAD,
    ) -> None:
        """``is_nested``: the part is a ``text_config``, which omits what is the default of the family. ``instead`` ends
        each hint: what a user can do without the file."""
        self.catalog = catalog
        self.file, self.config, self.family = file, config, family
        self.is_nested, self.instead = is_nested, instead

    def count(self, size: str, least: int = 0) -> int:
        """Raises ``ToolkitError`` where the field is missing, or not a number of things."""
        found = self.optional(size, least)
        if found is None:
            raise self._missing(size)
        return found

    def optional(self, size: str, least: int = 0) -> int | None:
        """None where the field is missing or null. Raises ``ToolkitError`` for another value than a count."""
        found = self.value(size)
        if found is None:
            return None
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= LARGEST:
            raise self._wrong(size, found, f"a whole number from {least} to {LARGEST:,}")
        return found

    def positive(self, size: str) -> int:
        """As ``count``, and above 0."""
        return self.count(size, 1)

    def _missing(self, size: str) -> ToolkitError:
        names = self.catalog.model_families.names_of_size(size) if self.family.is_unknown else (self.path(size),)
        part = next(
            (key for key in sorted(self.config) if _has(self.config[key], self.catalog, "vocabulary", size)), None
        )
        of_part = f"write the part {part} to a file of its own, or " if part is not None else ""
        of_type = f" of the type {self.family.name}" if self.family.name else ""
        return ToolkitError(
            f"{self.file} has no {' or '.join(names)}, which a model{of_type} needs",
            hint=f"{of_part}add the field as the model's own config.json has it, {self.instead}",
        )

    def _wrong(self, size: str, found: Any, expected: str) -> ToolkitError:
        return ToolkitError(
            f"{self.file}: {self.path(size)} is {_shown(found)}, expected {expected}",
            hint=f"correct the field, {self.instead}",
        )

    def contradiction(self, size: str, reason: str) -> ToolkitError:
        """The error for a size that another one excludes."""
        return ToolkitError(
            f"{self.file}: {self.path(size)} is {self.value(size)}, {reason}",
            hint=f"correct the field, {self.instead}",
        )

    def flag(self, size: str, otherwise: bool = False) -> bool:
        """Raises ``ToolkitError`` for a value that is neither true nor false, nor null."""
        found = self.value(size)
        if found is not None and not isinstance(found, bool):
            raise self._wrong(size, found, "true or false")
        return otherwise if found is None else found

    def items(self, size: str) -> Sequence[Any]:
        """Empty where the field is missing or null. Raises ``ToolkitError`` for another value than a list."""
        found = self.value(size)
        if found is not None and not isinstance(found, list):
            raise self._wrong(size, found, "a list")
        return found or ()

    def value(self, size: str) -> Any:
        """None where neither the file nor, for a nested part, the family has it."""
        path = self.path(size)
        found = _at(self.config, path) if path else None
        return self.family.defaults.get(size) if found is None and self.is_nested else found

    def path(self, size: str) -> str:
        """Where the file has a size; empty where the family has none."""
        return self.catalog.model_families.path(self.family, size)


def fields_of_unknown_family(
    file: str, config: Mapping[str, Any], name: str, instead: str, catalog: Catalog
) -> ConfigFields:
    """Sizes under any name that a family of the catalog has for them."""
    family = catalog.model_families.unknown(name, lambda path: _at(config, path) is not None)
    return ConfigFields(file, config, family, catalog, instead=instead)


def _has(part: Any, catalog: Catalog, *sizes: str) -> bool:
    """Whether a part of a file describes a text model, too."""
    return all(
        any(_at(part, name) is not None for name in catalog.model_families.names_of_size(size)) for size in sizes
    )


def _at(found: Any, path: str) -> Any:
    for step in path.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def _shown(value: Any) -> str:
    """As JSON has it, shortened."""
    return quoted(value[:80]) if isinstance(value, str) else json.dumps(value, default=str)[:80]
