"""Discovers the rules: every concrete rule class in a module of this package."""

from __future__ import annotations

import functools

import neuron_cluster.template_rules
from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.template_rules.base import TemplateRule


@functools.cache
def all_template_rules() -> tuple[TemplateRule, ...]:
    """Every rule once, by id. Raises ``RuntimeError`` when two rules share an id."""
    return discover_classes([neuron_cluster.template_rules], TemplateRule)
