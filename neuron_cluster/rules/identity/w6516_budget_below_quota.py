from __future__ import annotations

import math

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.service_price import HOURS_PER_MONTH
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations

LIST_PRICE = ("on_demand", "reservation")
"""Purchase options that are billed at the price of the catalog."""


class BudgetBelowQuota(Rule):
    """A budget pays for the instances that it counts at `count.desired` for a month (`budget.usd_month`).

    That of the environment counts all of them. The sum for a team has instances with the `team`, and elsewhere the
    share of its quota. Prices are the on-demand prices of the catalog. Spot Instances, capacity blocks and instances
    without a known price are not in it.

    Without this check AWS reports no error: the budget notifies every month.
    """

    id = "W6516"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        teams = {team.name: team for team in plan.teams}
        for budget in plan.budgets:
            team = teams[budget.team] if budget.team is not None else None
            usd = math.ceil(HOURS_PER_MONTH * sum(_hourly(team, each, context.catalog) for each in plan.compute_groups))
            if usd > budget.usd_month:
                counted, less = (
                    (f"what {team.name} has reserved costs", "reserve less")
                    if team is not None
                    else ("the instances cost", "lower count.desired")
                )
                yield Violation(
                    (*budget.path, "usd_month"),
                    f"usd_month is {budget.usd_month:,}; {counted} at least USD {usd:,} in {HOURS_PER_MONTH} hours at "
                    "count.desired",
                    f"set usd_month to {usd} or more, or {less}",
                )


def _hourly(team: Team | None, group: ComputeGroupPlan, catalog: Catalog) -> float:
    """USD an hour of what the team, or the environment, has of a group; 0 where no price is known."""
    machine = group.machine
    if machine.hourly_usd is None or machine.purchase.kind not in LIST_PRICE:
        return 0
    if team is None or group.team == team.name:
        return group.desired * machine.hourly_usd
    quota = team.quota_of(group.name)
    row = catalog.instance_types.get(machine.instance_type)
    if quota is None or row is None or not row.neuron_devices or not group.known_maximum:
        return 0
    running = quota.devices * group.desired // group.known_maximum
    return running / row.neuron_devices * machine.hourly_usd
