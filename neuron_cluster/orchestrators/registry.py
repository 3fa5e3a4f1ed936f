"""The orchestrators of this process. Each registers itself when its package is imported."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from neuron_cluster.resolved.environment import resolve

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.config.repairs import Repairs
    from neuron_cluster.orchestrators.base import Orchestrator
    from neuron_cluster.resolved.environment import ResolvedEnvironment

BUILT_IN = ("neuron_cluster.orchestrators.eks.orchestrator",)

_registered: dict[str, Orchestrator] = {}


def register(orchestrator: Orchestrator) -> None:
    """Adds an orchestrator. Raises ``ValueError`` for a key that another one has."""
    present = _registered.setdefault(orchestrator.key, orchestrator)
    if present is not orchestrator:
        raise ValueError(f"two orchestrators have the key {orchestrator.key}")


def registered() -> tuple[Orchestrator, ...]:
    """All of them, in the order of their registration; the built-in ones register here."""
    for module in BUILT_IN:
        importlib.import_module(module)
    return tuple(_registered.values())


def resolve_environment(
    config: EnvironmentConfig, catalog: Catalog, repairs: Repairs | None = None
) -> ResolvedEnvironment:
    """The file with its defaults, and the compute groups of every registered orchestrator."""
    return resolve(config, catalog, registered(), repairs)
