from __future__ import annotations

from neuron_cluster.config.source_map import format_path
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class TeamListedTwice(Rule):
    """Every team is listed once (`teams`).

    Without this check CDK rejects two ClusterQueues with the same construct id.
    """

    id = "E2050"
    source = "https://docs.aws.amazon.com/cdk/v2/guide/identifiers.html (construct ids are unique in their scope)"

    def check(self, context: RuleContext) -> Violations:
        first: dict[str, int] = {}
        for number, team in enumerate(context.environment.config.teams):
            other = ("teams", first.setdefault(team.name, number))
            if other[1] != number:
                yield Violation(
                    ("teams", number, "name"),
                    f"{team.name} is already the name of {format_path(other)}",
                    "remove one of the two, or use another name",
                    related=(other,),
                )
