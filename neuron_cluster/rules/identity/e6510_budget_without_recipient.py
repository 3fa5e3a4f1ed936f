from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class BudgetWithoutRecipient(Rule):
    """The budget of a team has an e-mail address or an SNS topic to notify (`budget.notify`, `budget.topic_arn`).

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
        for position, team in enumerate(context.environment.config.teams):
            budget = team.budget
            if budget is not None and not budget.notify and budget.topic_arn is None:
                yield Violation(
                    ("teams", position, "budget"),
                    f"the budget of {team.name} has neither notify nor topic_arn: its notifications have no recipient",
                    "add notify with an e-mail address, or topic_arn with the ARN of an SNS topic",
                )
