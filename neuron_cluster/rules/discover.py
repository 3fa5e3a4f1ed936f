"""Discovers the rules: every concrete rule class in this package, and in those of the registered orchestrators."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import TypeVar, cast

from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.orchestrators.registry import registered
from neuron_cluster.rules.base import Rule

PACKAGE = "neuron_cluster.rules"

Kind = TypeVar("Kind", bound=Rule)


def all_rules() -> tuple[Rule, ...]:
    """Every rule once, by id. Raises ``RuntimeError`` when two rules share an id."""
    return _rules_in((PACKAGE, *(each.rule_package for each in registered() if each.rule_package is not None)))


@functools.cache
def _rules_in(packages: tuple[str, ...]) -> tuple[Rule, ...]:
    return discover_classes([importlib.import_module(name) for name in packages], Rule)


def rules_of(kind: Callable[..., Kind]) -> tuple[Kind, ...]:
    """Those of one kind, which is one of the abstract classes, by id."""
    return cast("tuple[Kind, ...]", _of_kind(all_rules(), kind))


@functools.lru_cache(maxsize=8)
def _of_kind(rules: tuple[Rule, ...], kind: Callable[..., Rule]) -> tuple[Rule, ...]:
    # isinstance asks each abstract class for all of its subclasses: ten times as slow as the list of bases.
    return tuple(rule for rule in rules if kind in type(rule).__mro__)
