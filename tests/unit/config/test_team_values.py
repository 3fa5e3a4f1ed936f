"""Quotas are in Neuron devices and budgets in USD: a team has no key for cores, cohorts, currencies and priorities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.config.validation import validate_tree
from tests.five_teams import GROUP, team

ENVIRONMENT = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"
QUOTA = {"node_group": GROUP, "devices": "32"}
BUDGET = {"usd_month": "20000", "notify": ["leads@example.com"]}


def _findings(keys: dict[str, Any]) -> list[tuple[str, str]]:
    tree = yaml.load(ENVIRONMENT.read_text(), Loader=yaml.BaseLoader)  # noqa: S506 - as texts, like the loader
    tree["teams"] = [{**team("research"), "quota": [QUOTA], "budget": BUDGET, **keys}]
    return [(each.id, each.location.path) for each in validate_tree(tree, SourceMap("e.yaml")).findings]


def test_a_quota_in_devices_and_a_budget_in_usd_are_valid() -> None:
    assert _findings({}) == []


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"quota": [{**QUOTA, "cores": "64"}]}, "teams[0].quota[0].cores"),
        ({"quota": [{**QUOTA, "cohort": "none"}]}, "teams[0].quota[0].cohort"),
        ({"budget": {**BUDGET, "currency": "EUR"}}, "teams[0].budget.currency"),
        ({"priorities": [{"name": "high", "value": "1"}]}, "teams[0].priorities"),
        ({"storage": {"prefix": "../product"}}, "teams[0].storage"),
    ],
)
def test_what_follows_from_the_file_has_no_key(keys: dict[str, Any], place: str) -> None:
    assert [path for _, path in _findings(keys)] == [place]


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"weight": "-1"}, "teams[0].weight"),
        ({"quota": [{**QUOTA, "devices": "-1"}]}, "teams[0].quota[0].devices"),
        ({"quota": [{**QUOTA, "borrow": "-1"}]}, "teams[0].quota[0].borrow"),
        ({"budget": {**BUDGET, "usd_month": "0"}}, "teams[0].budget.usd_month"),
        ({"budget": {**BUDGET, "thresholds": ["0"]}}, "teams[0].budget.thresholds[0]"),
        ({"name": "Research"}, "teams[0].name"),
        ({"name": "r" * 41}, "teams[0].name"),
    ],
)
def test_a_value_out_of_range_is_rejected_at_its_key(keys: dict[str, Any], place: str) -> None:
    assert [path for _, path in _findings(keys)] == [place]
