from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.budgets import budgets_of


class BudgetTopicRegionUnknown(Rule):
    """The Region of the SNS topic of a budget is in the catalog (`budget.topic_arn`).

    AWS documents that the topic is in the account of the budget, and no Region for it. Only a warning: a Region may be
    newer than the catalog.

    Without this check AWS Budgets may reject the subscriber, so that the stack billing rolls back, or accept the ARN of
    a topic that does not exist, so that notifications have no recipient.
    """

    id = "W6517"
    source = "https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html"
    proposes = ("topic_arn",)

    def check(self, context: RuleContext) -> Violations:
        own = context.catalog.regions.get(context.environment.config.region)
        if own is None:  # rule E6001
            return
        for each in budgets_of(context.environment.config):
            topic = each.budget.topic_arn
            if topic is None:
                continue
            _, partition, _, region, *_ = topic.split(":")
            if partition == own.partition and context.catalog.regions.get(region) is None:  # else rule E6512
                near = did_you_mean(context.catalog.regions.similar(region))
                yield Violation(
                    (*each.path, "topic_arn"),
                    f"{topic} is in {region}, which is not in the catalog",
                    f"{near}copy the ARN from SNS into topic_arn, unless {region} is newer than the catalog",
                )
