from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.budget import Budget
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.budgets import budgets_of


class BudgetNotificationLimits(Rule):
    """A budget has one to five notifications, each threshold and e-mail address once (`budget.thresholds`).

    Each item of `thresholds` and of `forecast_thresholds` is a notification, which has up to ten e-mail addresses and
    one SNS topic.

    Without this check CreateBudget returns CreationLimitExceededException or DuplicateRecordException, and the stack
    billing rolls back.
    """

    id = "E6511"
    source = "https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_CreateBudget.html"
    proposes = ("thresholds", "forecast_thresholds", "notify")

    def check(self, context: RuleContext) -> Violations:
        for each in budgets_of(context.environment.config):
            yield from _violations(each.budget, each.path, context.catalog)


def _violations(budget: Budget, path: KeyPath, catalog: Catalog) -> Violations:
    alerts = len(budget.thresholds) + len(budget.forecast_thresholds)
    allowed = catalog.limits["budget_notifications"].require_maximum()
    if alerts > allowed:
        message = (
            f"thresholds has {len(budget.thresholds)} items and forecast_thresholds {len(budget.forecast_thresholds)}: "
            f"a budget has at most {allowed} notifications"
        )
        yield Violation((*path, "thresholds"), message, f"keep {allowed} of them, such as 80 and 100")
    if not alerts:
        message = "thresholds and forecast_thresholds are empty: the budget has no notification"
        yield Violation((*path, "thresholds"), message, "add a threshold, such as 80")
    addresses = catalog.limits["budget_email_subscribers"].require_maximum()
    if len(budget.notify) > addresses:
        message = f"notify has {len(budget.notify)} addresses: a notification has at most {addresses}"
        hint = f"keep {addresses} of them, or use the address of a mailing list"
        yield Violation((*path, "notify"), message, hint)
    named: dict[str, Sequence[object]] = {
        "thresholds": budget.thresholds,
        "forecast_thresholds": budget.forecast_thresholds,
        "notify": budget.notify,
    }
    for key, items in named.items():
        if twice := _twice(items):
            verb = "are" if len(twice) > 1 else "is"
            yield Violation((*path, key), f"{listed(twice)} {verb} listed more than once", "list each item once")


def _twice(items: Sequence[object]) -> list[object]:
    return [item for item in dict.fromkeys(items) if items.count(item) > 1]
