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
    """The budget of a team pays for its instances and its quota at `count.desired` for a month (`budget.usd_month`).

    The sum has instances with the `team`, and elsewhere the share of the quota, at the on-demand prices of the catalog.
    Spot Instances, capacity blocks and instances without a known price are not in it.

    Without this check AWS reports no error: the budget notifies every month.
    """

    id = "W6516"
    needs = Needs.PLAN
    source = "https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html"

    def check(self, context: RuleContext) -> Violations:
        plan = context.plan
        for team in plan.teams:
            if team.budget is None:
                continue
            usd = math.ceil(HOURS_PER_MONTH * sum(_hourly(team, each, context.catalog) for each in plan.compute_groups))
            if usd > team.budget.usd_month:
                yield Violation(
                    (*team.budget.path, "usd_month"),
                    f"usd_month is {team.budget.usd_month:,}; what {team.name} has reserved costs at least USD {usd:,} "
                    f"in {HOURS_PER_MONTH} hours at count.desired",
                    f"set usd_month to {usd} or more, or reserve less",
                )


def _hourly(team: Team, group: ComputeGroupPlan, catalog: Catalog) -> float:
    """USD an hour of what the team has of a group; 0 where no price is known."""
    machine = group.machine
    if machine.hourly_usd is None or machine.purchase.kind not in LIST_PRICE:
        return 0
    if group.team == team.name:
        return group.desired * machine.hourly_usd
    quota = team.quota_of(group.name)
    row = catalog.instance_type(machine.instance_type)
    if quota is None or row is None or not row.neuron_devices or not group.known_maximum:
        return 0
    running = quota.devices * group.desired // group.known_maximum
    return running / row.neuron_devices * machine.hourly_usd
