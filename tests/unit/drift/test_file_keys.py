"""The key of the file that a property comes from, for resources of which several keys decide one property each."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.drift.file_keys import core_keys
from neuron_cluster.providers.eks.changes.resource_kinds import taints_of_the_file

KEYS = core_keys(load_catalog())
NEURON = {"Key": "aws.amazon.com/neuron", "Value": "true", "Effect": "NO_SCHEDULE"}
OTHER = {"Key": "team", "Effect": "NO_EXECUTE"}


def budget(tag: str) -> dict[str, Any]:
    return {"Budget": {"BudgetLimit": {"Amount": 9}, "CostFilters": {"TagKeyValue": [f"user:neuron-cluster:{tag}"]}}}


@pytest.mark.parametrize(
    ("kind", "properties", "place", "path", "item"),
    [
        ("AWS::Budgets::Budget", budget("environment$a"), "Budget/BudgetLimit/Amount", "budget.usd_month", ""),
        ("AWS::Budgets::Budget", budget("team$ml"), "Budget/BudgetLimit/Amount", "teams.[].budget.usd_month", "ml"),
        (
            "AWS::CloudWatch::Alarm",
            {"AlarmName": "a-lustre-export-lag-minutes"},
            "Threshold",
            "observability.alarms.lustre_export_lag_minutes",
            "",
        ),
        ("AWS::CloudWatch::Alarm", {"AlarmName": "a-lustre-free-capacity-percent"}, "Threshold", None, ""),
    ],
)
def test_a_budget_or_an_alarm_has_the_key_of_its_name(
    kind: str, properties: dict[str, Any], place: str, path: str | None, item: str
) -> None:
    found = [key for key in KEYS[kind] if key.matches(tuple(place.split("/")), properties)]
    assert [".".join(key.path) for key in found] == ([path] if path else [])
    assert [key.item_name(properties) for key in found] == ([item] if path else [])


def test_a_part_of_the_unit_of_a_key_has_no_value() -> None:
    (minutes,) = [key for key in KEYS["AWS::CloudWatch::Alarm"] if key.divisor == 60]
    assert (minutes.value(7200.0), minutes.value(90)) == (120, None)


def test_taints_are_those_of_the_file_without_that_of_neuron() -> None:
    assert taints_of_the_file([NEURON], [OTHER, NEURON]) == [{"key": "team", "effect": "no_execute"}]
    assert taints_of_the_file([NEURON, OTHER], [NEURON]) == []


def test_a_group_that_lost_the_taint_of_neuron_has_no_edit() -> None:
    assert taints_of_the_file([NEURON], [OTHER]) is None
