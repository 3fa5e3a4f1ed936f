"""Runs every change guard over one edit."""

from __future__ import annotations

import functools
import importlib

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard
from neuron_cluster.changes.source import change_packages
from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.findings.finding import Finding, Location, has_error

PACKAGE = "neuron_cluster.changes.guards"


def all_guards() -> tuple[Guard, ...]:
    """Every guard once, by id. Raises ``RuntimeError`` when two share an id."""
    return _guards_in((PACKAGE, *change_packages()))


@functools.cache
def _guards_in(packages: tuple[str, ...]) -> tuple[Guard, ...]:
    return discover_classes([importlib.import_module(name) for name in packages], Guard)


def guard_findings(comparison: Comparison) -> list[Finding]:
    """The findings of all guards. The file of a finding is the stack, its path the logical id."""
    found = [
        finding for guard in all_guards() if not guard.only_without_errors for finding in _findings(guard, comparison)
    ]
    if has_error(found):
        return found
    return found + [
        finding for guard in all_guards() if guard.only_without_errors for finding in _findings(guard, comparison)
    ]


def _findings(guard: Guard, comparison: Comparison) -> list[Finding]:
    return [
        Finding(guard.id, Location(each.address.stack, path=each.address.logical_id), each.message, each.hint)
        for each in guard.check(comparison)
    ]
