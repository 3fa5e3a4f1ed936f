"""Duplicate names of workstations or home volumes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import format_path
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.source_map import KeyPath
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
        yield from _twins(("workstations",), [workstation.name for workstation in config.workstations])
        yield from _twins(("storage", "homes"), [home.name for home in homes])


def _twins(path: KeyPath, names: list[str]) -> Iterator[Violation]:
    for position, name in enumerate(names):
        first = names.index(name)
        if first < position:
            yield Violation(
                (*path, position, "name"),
                f"name is {name}, which {format_path((*path, first))} already uses",
                "rename one of the two",
                related=((*path, first),),
            )
