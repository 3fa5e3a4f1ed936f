from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violations
from neuron_cluster.rules.duplicate_names import duplicate_names

PATH = ("storage", "efs", "access_points")


class DuplicateAccessPoint(Rule):
    """Every EFS access point has a name of its own (`storage.efs.access_points[].name`).

    Without this check CDK fails with "There is already a Construct with name".
    """

    id = "E4060"
    source = "the design of this toolkit: construct ids are made of these names"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        points = storage.efs.access_points if storage is not None and storage.efs else []
        yield from duplicate_names(((*PATH, position), point.name) for position, point in enumerate(points))
