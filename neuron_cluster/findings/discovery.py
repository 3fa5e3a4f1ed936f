"""Finds what is part of the toolkit by its place: every concrete class of a kind in the modules of packages."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]


@functools.cache
def import_by_place(folder: str, module: str) -> None:
    """Imports ``neuron_cluster/FOLDER/*/MODULE.py``, which register themselves; of each process once."""
    for file in sorted((ROOT / folder).glob(f"*/{module}.py")):
        importlib.import_module(f"{ROOT.name}.{folder}.{file.parent.name}.{module}")


def discover_classes(packages: Iterable[ModuleType], *kinds: type) -> tuple[Any, ...]:
    """One of each, by id. ``kinds`` are abstract bases whose classes have an ``id``.

    Raises ``RuntimeError`` when two share an id.
    """
    found: dict[str, Any] = {}
    for name in (name for package in packages for name in _modules(package)):
        module = importlib.import_module(name)
        for member in vars(module).values():
            if not _is_concrete(member, module, kinds):
                continue
            if member.id in found:
                raise RuntimeError(f"two classes have the id {member.id}: {member} and {type(found[member.id])}")
            found[member.id] = member()
    return tuple(found[name] for name in sorted(found))


def _modules(package: ModuleType) -> Iterator[str]:
    """Dotted names of the modules below. ``pkgutil.walk_packages`` takes ten times as long, 1 % of `validate`."""
    if not hasattr(package, "__path__"):  # a module alone
        yield package.__name__
        return
    for folder in package.__path__:
        for parent, _, files in os.walk(folder):
            inner = PurePath(parent).relative_to(folder).parts
            for file in files:
                if file.endswith(".py") and file != "__init__.py":
                    yield ".".join((package.__name__, *inner, file.removesuffix(".py")))


def _is_concrete(member: object, module: ModuleType, kinds: tuple[type, ...]) -> bool:
    # issubclass asks each abstract class for all of its subclasses: ten times as slow as the list of bases.
    return (
        isinstance(member, type)
        and member.__module__ == module.__name__
        and any(kind in member.__mro__[1:] for kind in kinds)
        and not inspect.isabstract(member)
    )
