"""Budgets of an account: their limit, the cost so far, and the forecast."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class BudgetState(Struct, frozen=True):
    limit: Decimal | None
    """None for a budget whose limit AWS plans for each month."""
    actual: Decimal
    forecast: Decimal | None
    """None while AWS has no forecast."""
    unit: str


def budget_states(target: Target, account: str) -> dict[str, BudgetState]:
    """All budgets of the account, by name."""
    with translated():
        pages = client(target, "budgets").get_paginator("describe_budgets").paginate(AccountId=account)
        rows = [row for page in pages for row in page.get("Budgets", ())]
    return {row["BudgetName"]: _state(row) for row in rows}


def _state(row: dict[str, Any]) -> BudgetState:
    spend, limit = row.get("CalculatedSpend", {}), row.get("BudgetLimit", {})
    actual = spend.get("ActualSpend", {})
    return BudgetState(
        limit=_amount(limit),
        actual=_amount(actual) or Decimal(0),
        forecast=_amount(spend.get("ForecastedSpend", {})),
        unit=str(limit.get("Unit") or actual.get("Unit") or "USD"),
    )


def _amount(spend: dict[str, Any]) -> Decimal | None:
    return Decimal(spend["Amount"]) if "Amount" in spend else None
