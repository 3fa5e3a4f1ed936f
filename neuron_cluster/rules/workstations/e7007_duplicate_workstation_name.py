"""Duplicate names of workstations or home volumes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.duplicate_names import duplicate_names

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class DuplicateWorkstationName(ConfigRule):
    """Every workstation name and every home name is unique (`name`).

    Without this check CDK fails with "There is already a Construct with name".
    """

    id = "E7007"
    source = "the design of this toolkit: construct ids are made of these names"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        config = environment.config
        homes = config.storage.homes if config.storage is not None else []
        yield from duplicate_names((("workstations", at), each.name) for at, each in enumerate(config.workstations))
        yield from duplicate_names((("storage", "homes", at), home.name) for at, home in enumerate(homes))
