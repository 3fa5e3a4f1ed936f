"""The fields of the environment model by key path: which keys a mapping has, and an example of each."""

from __future__ import annotations

import copy
import types
import typing
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from neuron_cluster.config.environment_config import environment_model
from neuron_cluster.config.scalars import ChartValues
from neuron_cluster.config.sections import when_sections_change
from neuron_cluster.config.source_map import KeyPath

Keys = tuple[str, ...]
MAX_PLACES = 4096
"""Places of one file whose fields are remembered: the model has a few hundred, a file may invent more."""


def key_of(name: str, field: FieldInfo) -> str:
    """The key as it is written in the file."""
    return field.alias or name


def models_in(annotation: Any) -> tuple[type[BaseModel], ...]:
    """The models that a field's type allows: through ``| None``, ``list`` and unions; none for plain values."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return (annotation,)
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType, list, typing.Annotated):
        return tuple(model for part in typing.get_args(annotation) for model in models_in(part))
    return ()


def fields_at(path: KeyPath, kind: str | None = None) -> Mapping[str, FieldInfo]:
    """Every field of the mapping at ``path``, by key; empty when there is no mapping of the model.

    With a ``kind``, those of this kind of a union.
    """
    return _fields_of(_keys_of(path), kind)


@lru_cache(MAX_PLACES)
def _fields_of(keys: Keys, kind: str | None) -> Mapping[str, FieldInfo]:
    models = [model for model in _models_at(keys) if kind is None or _kind_of(model) == kind]
    return MappingProxyType(
        {key_of(name, field): field for model in models for name, field in model.model_fields.items()}
    )


def kinds_with(path: KeyPath, key: str) -> list[str]:
    """The kinds of the union at ``path`` that have the key; empty where there is no union."""
    kinds = [kind for model in _models_at(_keys_of(path)) if (kind := _kind_of(model)) is not None]
    return [kind for kind in kinds if key in fields_at(path, kind)]


def holds_chart_values(path: KeyPath) -> bool:
    """Whether the value at ``path`` is one of a chart, which no field of the model describes."""
    keys = _keys_of(path)
    return any(ChartValues in _values_of(keys[:length]) for length in range(1, len(keys) - 1))


def _values_of(keys: Keys) -> tuple[Any, ...]:
    """Types in the annotation of the field at a path of keys; none when there is no such field."""
    field = _fields_of(keys[:-1], None).get(keys[-1])
    return typing.get_args(field.annotation) if field is not None else ()


def _keys_of(path: KeyPath) -> Keys:
    """The path without positions in lists: all items of a list have the same fields."""
    return tuple(part for part in path if isinstance(part, str))


@lru_cache(MAX_PLACES)
def _models_at(keys: Keys) -> tuple[type[BaseModel], ...]:
    models: tuple[type[BaseModel], ...] = (environment_model(),)
    for key in keys:
        field = next((f for m in models for n, f in m.model_fields.items() if key_of(n, f) == key), None)
        models = models_in(field.annotation) if field is not None else ()
    return models


for _remembered in (_fields_of, _models_at):
    when_sections_change(_remembered.cache_clear)


def _kind_of(model: type[BaseModel]) -> str | None:
    """The value of ``kind`` in this model of a union."""
    field = model.model_fields.get("kind")
    kinds = typing.get_args(field.annotation) if field is not None else ()  # none of an enumeration in a plain model
    return str(kinds[0]) if kinds else None


def walk_fields() -> Iterator[tuple[str, FieldInfo]]:
    """Every field of the model once, with its pattern path: ``storage.lustre.sync[].path``."""
    return _walk((environment_model(),), "")


def _walk(models: tuple[type[BaseModel], ...], above: str) -> Iterator[tuple[str, FieldInfo]]:
    seen: set[str] = set()
    for model in models:
        for name, field in model.model_fields.items():
            path = f"{above}.{key_of(name, field)}" if above else key_of(name, field)
            if path in seen:
                continue
            seen.add(path)
            yield path, field
            brackets = "[]" if typing.get_origin(field.annotation) is list else ""
            yield from _walk(models_in(field.annotation), path + brackets)


def is_in_free_mapping(path: KeyPath) -> bool:
    """Whether the last key is the author's own, in a mapping of names to values."""
    around = fields_at(path[:-2]).get(str(path[-2])) if len(path) > 1 else None
    return around is not None and str(around.annotation).startswith("dict[")


def example_at(path: KeyPath) -> Any:
    """The example of a field, or one put together from those of the fields below it that must be written.

    Where none must, from the first of them. Of an item, the first one of its list, of a key of the author's the first
    value of its mapping; an empty text for what is not a field.
    """
    if isinstance(path[-1], int) or is_in_free_mapping(path):
        items = example_at(path[:-1])
        values = list(items.values()) if isinstance(items, dict) else items
        return values[0] if isinstance(values, list) and values else ""
    known = fields_at(path[:-1]).get(path[-1])
    if known is None:
        return ""
    if known.examples:
        return copy.deepcopy(known.examples[0])
    fields = fields_at(path)
    needed = [key for key, field in fields.items() if field.is_required()] or list(fields)[:1]
    below = {key: example_at((*path, key)) for key in needed}
    return [below] if str(known.annotation).startswith("list") else below
