from __future__ import annotations

from neuron_cluster.plan.team import TEAM_TAG
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class BudgetWithoutTaggedInstances(Rule):
    """A compute group or workstation has the `team` of a budget (`teams[].budget`).

    The budget filters by the tag `neuron-cluster:team`, which the instances, volumes and network interfaces of a group
    with the key `team` carry, and workstations with it. The cost of a group that teams share cannot be divided by a
    tag.

    Without this check AWS reports no error: the cost stays at 0, and the budget never notifies.
    """

    id = "E6514"
    source = "https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-create-filters.html"
    references = ("hashicorp/terraform-provider-aws#39850",)
    proposes = ("team",)

    def check(self, context: RuleContext) -> Violations:
        tagged = {group.team for group in context.environment.compute_groups}
        for position, team in enumerate(context.environment.config.teams):
            if team.budget is not None and team.name not in tagged:
                yield Violation(
                    ("teams", position, "budget"),
                    f"no compute group or workstation has team: {team.name}, so nothing carries the tag {TEAM_TAG} "
                    "that the budget counts",
                    f"set `team: {team.name}` on a compute group or workstation of this team alone, or remove budget"
                    f"{_of_a_share(context.environment.config.name) if team.quota else ''}",
                )


def _of_a_share(environment: str) -> str:
    """Returns the alternative for a team whose devices are those of a queue that teams share."""
    return (
        f"; `neuron-cluster usage {environment} --context {environment}` shows device-hours and cost of each team of a "
        "queue, and `budget` at the top of the file counts the whole environment"
    )
