"""Discovers the rules: every concrete rule class in a module of this package."""

from __future__ import annotations

import functools

import neuron_cluster.schedulers.kubernetes.manifest_rules
from neuron_cluster.findings.discovery import discover_classes
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import ManifestRule


@functools.cache
def all_manifest_rules() -> tuple[ManifestRule, ...]:
    """Every rule once, by id. Raises ``RuntimeError`` when two rules share an id."""
    return discover_classes([neuron_cluster.schedulers.kubernetes.manifest_rules], ManifestRule)
