from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violations
from neuron_cluster.rules.duplicate_names import duplicate_names, equal_logical_ids


class DuplicateWorkstationName(Rule):
    """Every workstation name and every home name is unique (`name`), names of homes also without their hyphens.

    Without this check CDK fails with "There is already a Construct with name", or with "section 'Resources' already
    contains".
    """

    id = "E7007"
    source = "the design of this toolkit: construct ids are made of these names"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        homes = config.storage.homes if config.storage is not None else []
        named_homes = [(("storage", "homes", position), home.name) for position, home in enumerate(homes)]
        yield from duplicate_names((("workstations", at), each.name) for at, each in enumerate(config.workstations))
        yield from duplicate_names(named_homes)
        yield from equal_logical_ids(named_homes)
