"""Sections of the environment file that providers contribute.

This package knows no provider: each one registers its section when its module is imported, and those of the toolkit
are imported by their place on the first query. Whatever is registered later is part of the file from then on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from neuron_cluster.config.scalars import ClosedModel
from neuron_cluster.findings.discovery import import_by_place

PLACES = (("providers", "provider"), ("sections", "section"))
"""Folders of the toolkit's providers and further sections, and the module of each that registers it."""


class SectionSpec(Struct, frozen=True, kw_only=True):
    """One section. It is optional in the file: without it there is nothing of its provider."""

    key: str
    model: type[ClosedModel]
    description: str
    examples: tuple[Any, ...]
    position: int = 100
    """Sections are between ``storage`` and ``workstations``, those with a lower position first."""
    pattern_descriptions: Mapping[str, str] = MappingProxyType({})
    """Descriptions of the regular expressions of its models."""

    @property
    def order(self) -> tuple[int, str]:
        """Sorts sections as they are in the file."""
        return self.position, self.key


_registered: dict[str, SectionSpec] = {}
_derived: list[Callable[[], None]] = []


@functools.cache
def sections() -> tuple[SectionSpec, ...]:
    """All of them, in the order of the file."""
    for place in PLACES:
        import_by_place(*place)
    return tuple(sorted(_registered.values(), key=lambda spec: spec.order))


def register_section(spec: SectionSpec) -> None:
    """Adds a section. Raises ``ValueError`` for a key that another one has."""
    if _registered.setdefault(spec.key, spec) is not spec:
        raise ValueError(f"two sections of the environment file have the key {spec.key}")
    _forget_derived()


def remove_section(spec: SectionSpec) -> None:
    """Takes a section out again. Raises ``KeyError`` where it is not registered."""
    del _registered[spec.key]
    _forget_derived()


def when_sections_change(forget: Callable[[], None]) -> None:
    """``forget`` is called after each change: it drops what was computed from the sections."""
    _derived.append(forget)


def _forget_derived() -> None:
    sections.cache_clear()
    for forget in _derived:
        forget()
