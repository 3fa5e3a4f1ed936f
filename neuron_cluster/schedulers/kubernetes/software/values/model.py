"""The values model of a chart, by the chart's name, and the keys that a model can write."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import UnsetType
from msgspec.structs import fields

from neuron_cluster.schedulers.kubernetes.software.values.closed_values import ClosedValues

KINDS: dict[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    tuple: "list",
    dict: "mapping",
}
"""Kinds of values in the catalog's words, by the type in the model."""


@functools.cache
def values_model(chart: str) -> type[ClosedValues] | None:
    """The model of the chart of this name, or None. Only the module of that chart is imported.

    The module has the chart's name with underscores, the class the same name in one word: ``aws-dranet`` is
    ``AwsDranetValues`` in ``aws_dranet.py``.
    """
    module = f"{__package__}.{chart.replace('-', '_')}"
    name = "".join(part.capitalize() for part in chart.split("-")) + "Values"
    if not chart.replace("-", "").isalnum() or not Path(__file__).with_name(f"{chart.replace('-', '_')}.py").is_file():
        return None
    model: type[ClosedValues] | None = getattr(importlib.import_module(module), name, None)
    return model


def value_paths(model: type[ClosedValues]) -> Mapping[str, str]:
    """Every dotted path that the model can write, with the kind of its value. Parts are taken apart to their leaves."""
    hints = get_type_hints(model, include_extras=False)
    paths: dict[str, str] = {}
    for field in fields(model):
        wanted = _without_unset(hints[field.name])
        if isinstance(wanted, type) and issubclass(wanted, ClosedValues):
            paths |= {f"{field.encode_name}.{path}": kind for path, kind in value_paths(wanted).items()}
        else:
            paths[field.encode_name] = _kind(wanted)
    return paths


def _without_unset(annotation: Any) -> Any:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    (wanted,) = (argument for argument in get_args(annotation) if argument is not UnsetType)
    return wanted


def _kind(annotation: Any) -> str:
    origin = get_origin(annotation)
    return KINDS[type(get_args(annotation)[0]) if origin is Literal else origin or annotation]
