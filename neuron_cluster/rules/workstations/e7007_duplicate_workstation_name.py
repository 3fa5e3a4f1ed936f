"""Two workstations or homes of one name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import spelled
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class DuplicateWorkstationName(ConfigRule):
    """Every workstation and every home has a name of its own.

    Without this check CDK stops with "There is already a Construct with name"; nobody could tell the two apart.
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
                f"name is {name}, like that of {spelled((*path, first))}",
                "give one of the two another name",
                related=((*path, first),),
            )
