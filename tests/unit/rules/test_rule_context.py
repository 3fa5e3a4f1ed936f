"""A context has for a rule what its ``needs`` names, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.needs import UndeclaredNeed
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.rules.base import Needs, RuleContext

SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"
TODAY = date(2026, 11, 29)
READ: dict[Needs, Callable[[RuleContext], Any]] = {
    Needs.PLAN: lambda context: context.plan,
    Needs.LOCK: lambda context: context.lock,
    Needs.DATE: lambda context: context.as_of,
}


@pytest.fixture(scope="module")
def checked() -> Checked:
    return check_environment(SHIPPED)


def context_of(need: Needs, checked: Checked) -> RuleContext:
    """The context of a rule with this need, of a file that has no lock."""
    given: dict[Needs, dict[str, Any]] = {
        Needs.FILE: {},
        Needs.PLAN: {"given_plan": checked.require_plan()},
        Needs.LOCK: {"given_lock": None},
        Needs.DATE: {"given_date": TODAY},
    }
    return RuleContext(environment=checked.require_resolved(), catalog=load_catalog(), **given[need])


@pytest.mark.parametrize(("need", "other"), [(need, other) for need in Needs for other in READ if need is not other])
def test_a_context_raises_for_what_the_rule_does_not_need(need: Needs, other: Needs, checked: Checked) -> None:
    with pytest.raises(UndeclaredNeed, match=f"declares `needs = {other}`"):
        READ[other](context_of(need, checked))


def test_a_context_has_what_the_rule_needs(checked: Checked) -> None:
    found = {need: READ[need](context_of(need, checked)) for need in READ}
    assert found == {Needs.PLAN: checked.plan, Needs.LOCK: None, Needs.DATE: TODAY}
