from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.budgets import budgets_of


class BudgetWithoutRecipient(Rule):
    """A budget has an e-mail address or an SNS topic to notify (`budget.notify`, `budget.topic_arn`).

    A budget stops nothing: its notifications are all that it does.

    Without this check AWS Budgets rejects a notification without subscribers, and the stack billing rolls back.
    """

    id = "E6510"
    source = (
        "https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/"
        "API_budgets_NotificationWithSubscribers.html"
    )
    proposes = ("notify", "topic_arn")

    def check(self, context: RuleContext) -> Violations:
        for each in budgets_of(context.environment.config):
            if not each.budget.notify and each.budget.topic_arn is None:
                yield Violation(
                    each.path,
                    f"the budget of {each.owner} has neither notify nor topic_arn: its notifications have no recipient",
                    "add notify with an e-mail address, or topic_arn with the ARN of an SNS topic",
                )
