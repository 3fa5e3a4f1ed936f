"""Finds the laws: every concrete law class in a module of this package is in force."""

from __future__ import annotations

import functools

import neuron_cluster.template_law
from neuron_cluster.found_classes import found_classes
from neuron_cluster.template_law.base import ResourceLaw, TemplateLaw


@functools.cache
def all_laws() -> tuple[ResourceLaw | TemplateLaw, ...]:
    """Every law once, by id. Raises ``RuntimeError`` when two laws share an id."""
    return found_classes(neuron_cluster.template_law, ResourceLaw, TemplateLaw)
