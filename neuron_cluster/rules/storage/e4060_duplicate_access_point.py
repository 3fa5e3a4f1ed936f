"""Duplicate names of EFS access points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import format_path
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment

PATH = ("storage", "efs", "access_points")


class DuplicateAccessPoint(ConfigRule):
    """Every EFS access point has a name of its own (`storage.efs.access_points[].name`).

    Without this check CDK fails with "There is already a Construct with name".
    """

    id = "E4060"
    source = "the design of this toolkit: construct ids are made of these names"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        storage = environment.config.storage
        names = [each.name for each in storage.efs.access_points] if storage is not None and storage.efs else []
        for position, name in enumerate(names):
            first = names.index(name)
            if first < position:
                yield Violation(
                    (*PATH, position, "name"),
                    f"name is {name}, which {format_path((*PATH, first))} already uses",
                    "rename one of the two",
                    related=((*PATH, first),),
                )
