from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violations
from neuron_cluster.rules.duplicate_names import equal_logical_ids


class TeamBudgetsWithOneLogicalId(Rule):
    """Names of teams that have a budget differ in letters or digits (`teams[].budget`).

    Without this check CDK fails with "section 'Resources' already contains" for teams such as `vision` and `vi-sion`.
    """

    id = "E6520"
    source = "https://docs.aws.amazon.com/cdk/v2/guide/identifiers.html (logical ids of resources)"
    proposes = ("team",)

    def check(self, context: RuleContext) -> Violations:
        teams = enumerate(context.environment.config.teams)
        named = ((("teams", at), team.name) for at, team in teams if team.budget is not None)
        yield from equal_logical_ids(named, also="; and set it as `team` of its compute groups and workstations")
