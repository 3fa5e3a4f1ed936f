"""Rows of a budget, of an environment or a team: the limit changes in place, other notifications replace it."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect

NEW_BUDGET = (
    "The budget is replaced by one with these notifications: the cost of the month stays, and a threshold that was "
    "exceeded before notifies again."
)


def budget_rows(path: str, kept: str) -> tuple[ChangeRow, ...]:
    """``kept`` ends the sentence about a budget that is created or deleted: what does not change."""
    return (
        ChangeRow(
            path,
            FieldEffect.DISPOSABLE,
            f"The budget is created or deleted, in the stack billing. No {kept} changes.",
        ),
        ChangeRow(f"{path}.usd_month", FieldEffect.IN_PLACE, "The limit of the budget changes."),
        *(
            ChangeRow(f"{path}.{key}", FieldEffect.DISPOSABLE, NEW_BUDGET)
            for key in ("thresholds", "forecast_thresholds", "notify", "topic_arn")
        ),
    )


ENVIRONMENT_BUDGET_ROWS = budget_rows("budget", "other resource")
