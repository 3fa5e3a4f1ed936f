"""Finds the laws: every concrete law class in a module of this package is in force."""

from __future__ import annotations

import functools

import neuron_cluster.manifest_law
from neuron_cluster.found_classes import found_classes
from neuron_cluster.manifest_law.base import ManifestLaw


@functools.cache
def all_laws() -> tuple[ManifestLaw, ...]:
    """Every law once, by id. Raises ``RuntimeError`` when two laws share an id."""
    return found_classes(neuron_cluster.manifest_law, ManifestLaw)
