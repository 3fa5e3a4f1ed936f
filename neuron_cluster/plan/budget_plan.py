"""The budget of an environment or a team: AWS::Budgets::Budget, which CloudFormation has in some Regions only."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath

BUDGET_TYPE = "AWS::Budgets::Budget"


class BudgetAlert(Struct, frozen=True):
    """A notification of a budget."""

    kind: str
    """``ACTUAL`` or ``FORECASTED``, as the API spells it."""
    percent: int
    """Of the budget."""


class BudgetPlan(Struct, frozen=True, kw_only=True):
    """A budget in USD a month over what carries one tag."""

    path: KeyPath
    team: str | None
    """None: the budget of the environment."""
    name: str
    """Another one for other alerts or recipients, which no update of a budget changes: it is replaced."""
    usd_month: int
    alerts: tuple[BudgetAlert, ...]
    emails: tuple[str, ...]
    topic_arn: str | None
