"""The YAML files of this package."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TypeVar

import msgspec
import yaml
from msgspec import Struct

from neuron_cluster.config.document import Loader

FOLDER = Path(__file__).parent
Rows = TypeVar("Rows")


class Purpose(Struct, frozen=True, forbid_unknown_fields=True):
    """The purpose of an environment. ``task``: the one for which ``recommend`` sizes a model."""

    text: str
    task: str
    starts_empty: bool = False
    """Whether nodes are added when they are needed."""


class TemplateRow(Struct, frozen=True, forbid_unknown_fields=True):
    """``machines``: section and name of the node group or workstation that options about instances change."""

    purposes: tuple[str, ...] = ()
    machines: str | None = None


class Placeholder(Struct, frozen=True, forbid_unknown_fields=True):
    """``value``: a regular expression of the whole scalar. ``write``: what the user writes in its place."""

    value: str
    write: str


@functools.cache
def purposes() -> dict[str, Purpose]:
    """Returns the purposes by name."""
    return _read("purposes", dict[str, Purpose])


@functools.cache
def template_rows() -> dict[str, TemplateRow]:
    """Returns the rows by the name of the template, in the order in which they are proposed."""
    return _read("templates", dict[str, TemplateRow])


@functools.cache
def placeholders() -> tuple[Placeholder, ...]:
    return _read("placeholders", tuple[Placeholder, ...])


def _read(name: str, kind: type[Rows]) -> Rows:
    with (FOLDER / f"{name}.yaml").open(encoding="utf-8") as stream:
        return msgspec.convert(yaml.load(stream, Loader=Loader), kind)  # noqa: S506 - the safe loader
