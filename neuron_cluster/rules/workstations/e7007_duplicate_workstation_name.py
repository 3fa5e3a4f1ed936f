from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violations
from neuron_cluster.rules.duplicate_names import duplicate_names


class DuplicateWorkstationName(Rule):
    """Every workstation name and every home name is unique (`name`).

    Without this check CDK fails with "There is already a Construct with name".
    """

    id = "E7007"
    source = "the design of this toolkit: construct ids are made of these names"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        homes = config.storage.homes if config.storage is not None else []
        yield from duplicate_names((("workstations", at), each.name) for at, each in enumerate(config.workstations))
        yield from duplicate_names((("storage", "homes", at), home.name) for at, home in enumerate(homes))
