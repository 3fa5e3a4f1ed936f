"""Finds the rules: every concrete rule class in a module of this package is part of the toolkit."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar, cast

import neuron_cluster.rules
from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.rules.base import Rule

Kind = TypeVar("Kind", bound=Rule)


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule once, by id. Raises ``RuntimeError`` when two rules share an id."""
    return discover_classes(neuron_cluster.rules, Rule)


def rules_of(kind: Callable[..., Kind]) -> tuple[Kind, ...]:
    """Those of one kind, which is one of the abstract classes, by id."""
    # isinstance asks each abstract class for all of its subclasses: ten times as slow as the list of bases.
    return tuple(cast("Kind", rule) for rule in all_rules() if kind in type(rule).__mro__)
