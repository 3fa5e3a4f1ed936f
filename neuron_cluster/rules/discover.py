"""Discovers the rules: every concrete rule class in this package, and in those of providers and their schedulers."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Container

from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.base import Needs, Rule

PACKAGE = "neuron_cluster.rules"


def all_rules(sections: Container[str] | None = None) -> tuple[Rule, ...]:
    """Every rule once, by id; with ``sections`` those that can find something in a file with these keys.

    The rules of a scheduler are among them with those of any provider that names it. Raises ``RuntimeError`` when two
    rules share an id.
    """
    providers = (
        each
        for each in registered()
        if sections is None or each.section.key in sections or not each.has_rules_for_its_section_only
    )
    packages = (
        package
        for provider in providers
        for package in (provider.rule_package, *(scheduler.rule_package for scheduler in provider.schedulers))
    )
    return _rules_in((PACKAGE, *dict.fromkeys(filter(None, packages))))


@functools.cache
def _rules_in(packages: tuple[str, ...]) -> tuple[Rule, ...]:
    return discover_classes([importlib.import_module(name) for name in packages], Rule)


def rules_of(needs: Needs) -> tuple[Rule, ...]:
    """The rules with this ``needs``, by id."""
    return tuple(rule for rule in all_rules() if rule.needs is needs)
