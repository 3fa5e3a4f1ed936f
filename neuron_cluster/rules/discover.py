"""Finds the rules: every concrete rule class in a module of this package is part of the toolkit."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import TypeVar, cast

import neuron_cluster.rules
from neuron_cluster.rules.base import Rule

Kind = TypeVar("Kind", bound=Rule)


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule once, by id. Raises ``RuntimeError`` when two rules share an id."""
    found: dict[str, Rule] = {}
    for module in _modules():
        for member in vars(module).values():
            if _is_rule_of(member, module):
                if member.id in found:
                    raise RuntimeError(f"two rules have the id {member.id}: {member} and {type(found[member.id])}")
                found[member.id] = member()
    return tuple(found[rule_id] for rule_id in sorted(found))


def rules_of(kind: Callable[..., Kind]) -> tuple[Kind, ...]:
    """Those of one kind, which is one of the abstract classes, by id."""
    # isinstance asks each abstract class for all of its subclasses: ten times as slow as the list of bases.
    return tuple(cast("Kind", rule) for rule in all_rules() if kind in type(rule).__mro__)


def _modules() -> list[ModuleType]:
    packages = pkgutil.walk_packages(neuron_cluster.rules.__path__, "neuron_cluster.rules.")
    return [importlib.import_module(package.name) for package in packages]


def _is_rule_of(member: object, module: ModuleType) -> bool:
    return (
        inspect.isclass(member)
        and member.__module__ == module.__name__ != Rule.__module__
        and Rule in member.__mro__
        and not inspect.isabstract(member)
    )
