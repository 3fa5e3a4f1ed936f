"""Duplicate names of EFS access points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation
from neuron_cluster.rules.duplicate_names import duplicate_names

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
        points = storage.efs.access_points if storage is not None and storage.efs else []
        yield from duplicate_names(((*PATH, position), point.name) for position, point in enumerate(points))
