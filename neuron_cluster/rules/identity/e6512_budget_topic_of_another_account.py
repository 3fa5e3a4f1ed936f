from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.budgets import budgets_of


class BudgetTopicOfAnotherAccount(Rule):
    """The SNS topic of a budget is in the account and partition of the environment (`budget.topic_arn`).

    Its policy must allow `sns:Publish` to `budgets.amazonaws.com`; a topic that is encrypted with a KMS key also needs
    the right to use the key.

    Without this check AWS Budgets rejects the subscriber, or SNS rejects each notification.
    """

    id = "E6512"
    source = "https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html"
    proposes = ("topic_arn",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        known = context.catalog.regions.get(config.region)
        for each in budgets_of(config):
            topic, path = each.budget.topic_arn, (*each.path, "topic_arn")
            if topic is None:
                continue
            _, partition, _, _, account, *_ = topic.split(":")
            if account != config.account:
                yield Violation(
                    path,
                    f"{topic} is in account {account}; budgets of {config.account} notify topics of {config.account}",
                    f"set a topic of account {config.account}, or subscribe the other account to such a topic",
                )
            elif known is not None and partition != known.partition:
                yield Violation(
                    path,
                    f"{topic} is in the partition {partition}, but {config.region} is in {known.partition}",
                    f"copy the ARN from SNS: it begins with arn:{known.partition}:",
                )
