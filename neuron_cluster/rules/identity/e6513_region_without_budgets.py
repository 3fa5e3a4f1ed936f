from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.plan.budget_plan import BUDGET_TYPE
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.budgets import budgets_of


class RegionWithoutBudgets(Rule):
    """CloudFormation has `AWS::Budgets::Budget` in the Region of an environment with budgets (`budget`).

    All stacks of an environment are in its Region. The API of AWS Budgets is the same for all Regions.
    `neuron-cluster catalog types` lists the Regions.

    Without this check CloudFormation rejects the template of the stack billing with ValidationError, "Unrecognized
    resource types".
    """

    id = "E6513"
    source = (
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/resource-type-schemas.html "
        "(the schemas of each Region)"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        regions = context.catalog.resource_type_regions[BUDGET_TYPE].regions
        if config.region in regions or context.catalog.regions.get(config.region) is None:
            return
        for each in budgets_of(config):
            yield Violation(
                each.path,
                f"CloudFormation has no {BUDGET_TYPE} in {config.region}; it is in {listed(regions, 'and')}",
                "remove budget, and create the budget without CloudFormation: `aws budgets create-budget "
                f"--account-id {config.account} --budget file://budget.json`",
            )
