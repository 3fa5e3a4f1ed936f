"""The budgets of the environment and of teams: cost so far and forecast next to the limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neuron_cluster.aws.budgets import BudgetState, budget_states
from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.plan.budget_plan import BudgetPlan
from neuron_cluster.protocol.status import StatusLine, StatusQuery, StatusSection, error, healthy, warning


def budget_section(query: StatusQuery) -> StatusSection | None:
    """None where the file has no budget."""
    budgets = query.plan.budgets
    return StatusSection("Budgets", tuple(_lines(query, budgets))) if budgets else None


def _lines(query: StatusQuery, budgets: Sequence[BudgetPlan]) -> Iterator[StatusLine]:
    found = reading("budgets", lambda: budget_states(query.access.target, query.plan.account))
    if isinstance(found, NotRead):
        yield query.not_read("budgets", found)
        return
    for budget in budgets:
        state = found.get(budget.name)
        if state is None:
            cause = "the budget does not exist: no notification is sent"
            yield error(budget.name, cause, query.toolkit_command("deploy"))
        else:
            yield _line(query, budget, state)


def _line(query: StatusQuery, budget: BudgetPlan, state: BudgetState) -> StatusLine:
    """The limit is that of AWS Budgets, which a person may have changed since."""
    limit = state.limit if state.limit is not None else budget.usd_month
    command = query.access.aws_command(
        "budgets describe-budget", account_id=query.plan.account, budget_name=budget.name
    )
    spent = f"{state.actual:,.0f} of {limit:,.0f} {state.unit} a month"
    if state.actual >= limit:
        return error(budget.name, f"{spent} are spent", command)
    if state.forecast is not None and state.forecast >= limit:
        return warning(budget.name, f"{spent} are spent, and {state.forecast:,.0f} are forecast", command)
    return healthy(budget.name, f"{spent} are spent")
