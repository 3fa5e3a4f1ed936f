from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.team import TEAM_TAG
from neuron_cluster.resolved.compute_group import ComputeGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.budgets import FileBudget, budgets_of


class BudgetWithCapacityBlock(Rule):
    """A budget counts a capacity block by the tag of its reservation, in the month of the purchase (`budget`).

    The whole price of a block is billed once, within hours of the purchase; its instances cost nothing more. The
    tags of instances have no part in it: the reservation needs the tag of the budget before the price is billed, and
    the tag must be activated as a cost allocation tag. In doubt: no page of AWS states that the price then has the tag.

    Without this check AWS reports no error: the budget leaves the block out, which is most of the cost, or it exceeds
    its thresholds in the month of the purchase.
    """

    id = "W6519"
    source = (
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-pricing-billing.html; "
        "https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/cost-alloc-tags.html"
    )

    def check(self, context: RuleContext) -> Violations:
        for each in budgets_of(context.environment.config):
            groups = [group for group in context.environment.compute_groups if _is_counted_block(group, each)]
            if groups:
                yield _violation(each, groups, context)


def _is_counted_block(group: ComputeGroup, budget: FileBudget) -> bool:
    return group.block is not None and budget.team in (None, group.team)


def _violation(budget: FileBudget, groups: list[ComputeGroup], context: RuleContext) -> Violation:
    config = context.environment.config
    key, value = (ENVIRONMENT_TAG, config.name) if budget.team is None else (TEAM_TAG, budget.team)
    names = listed([group.name for group in groups], "and")
    run = (
        f"{names} run in capacity blocks, which are"
        if len(groups) > 1
        else f"{names} runs in a capacity block, which is"
    )
    ids = " ".join(dict.fromkeys(group.reservation_id for group in groups if group.reservation_id is not None))
    return Violation(
        budget.path,
        f"{run} paid for in the month of the purchase: the budget of {budget.owner} counts the price by the tag "
        f"{key} of the reservation, as far as is known",
        f"buy with the command that `neuron-cluster capacity offers {config.name}` prints, which sets the tag, or set "
        f"it: `aws ec2 create-tags --region {config.region} --resources {ids} --tags Key={key},Value={value}`; add the "
        "price of the block to usd_month in that month",
    )
