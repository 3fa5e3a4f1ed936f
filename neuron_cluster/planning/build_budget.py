"""The budget of an environment or a team: alerts, and a name that follows from what cannot change in place."""

from __future__ import annotations

import hashlib
import json

from neuron_cluster.config.budget import Budget
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.budget_plan import BudgetAlert, BudgetPlan

ACTUAL, FORECASTED = "ACTUAL", "FORECASTED"
DIGEST = 8
"""Hexadecimal digits in the name."""


def build_budget(spec: Budget, team: str | None, path: KeyPath, environment: str) -> BudgetPlan:
    """``environment`` is the name of the environment; its own budget has no ``team``.

    Without a team two hyphens are in a row, so that no team of an environment gives the same name: none ends in one.
    """
    alerts = (
        *(BudgetAlert(ACTUAL, percent) for percent in spec.thresholds),
        *(BudgetAlert(FORECASTED, percent) for percent in spec.forecast_thresholds),
    )
    fixed = [[[each.kind, each.percent] for each in alerts], spec.notify, spec.topic_arn]
    digest = hashlib.sha256(json.dumps(fixed).encode()).hexdigest()[:DIGEST]
    return BudgetPlan(
        path=path,
        team=team,
        name=f"{environment}-{team or ''}-{digest}",
        usd_month=spec.usd_month,
        alerts=alerts,
        emails=tuple(spec.notify),
        topic_arn=spec.topic_arn,
    )
