"""Readers of types whose answers need more than their binding says, each class found in this folder."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping

from local_aws.resource_types.binding import bindings
from local_aws.resource_types.reader import ResourceReader


def _readers() -> Iterator[tuple[str, type[ResourceReader]]]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for member in vars(importlib.import_module(module.name)).values():
            is_own = inspect.isclass(member) and member.__module__ == module.name
            if is_own and issubclass(member, ResourceReader) and member.type_name:
                yield member.type_name, member


READERS: Mapping[str, type[ResourceReader]] = dict(_readers())
"""The reader by type."""


@functools.cache
def reader_of(type_name: str) -> ResourceReader:
    """The reader of a type that has a binding. Raises KeyError for another type."""
    return READERS.get(type_name, ResourceReader)(type_name, bindings()[type_name])
