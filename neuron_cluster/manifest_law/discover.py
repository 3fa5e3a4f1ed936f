"""Finds the laws: every concrete law class in a module of this package is in force."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from types import ModuleType

import neuron_cluster.manifest_law
from neuron_cluster.manifest_law.base import ManifestLaw


@functools.cache
def all_laws() -> tuple[ManifestLaw, ...]:
    """Every law once, by id. Raises ``RuntimeError`` when two laws share an id."""
    found: dict[str, ManifestLaw] = {}
    for module in _modules():
        for member in vars(module).values():
            if _is_law_of(member, module):
                if member.id in found:
                    raise RuntimeError(f"two laws have the id {member.id}: {member} and {type(found[member.id])}")
                found[member.id] = member()
    return tuple(found[law_id] for law_id in sorted(found))


def _modules() -> list[ModuleType]:
    packages = pkgutil.walk_packages(neuron_cluster.manifest_law.__path__, "neuron_cluster.manifest_law.")
    return [importlib.import_module(package.name) for package in packages]


def _is_law_of(member: object, module: ModuleType) -> bool:
    return (
        inspect.isclass(member)
        and issubclass(member, ManifestLaw)
        and not inspect.isabstract(member)
        and member.__module__ == module.__name__
    )
