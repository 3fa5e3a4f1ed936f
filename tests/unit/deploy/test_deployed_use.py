"""Deployed templates use as much of each limit as the plan of the same file: an edit of nothing adds nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.resource_counts import COUNTS
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.preflight.deployed_use import USES, nat_gateway_zones
from neuron_cluster.deploy.preflight.resource_quotas import GROWING
from neuron_cluster.plan.scale import build_scale

GOLDEN = Path(__file__).parents[2] / "golden"
ENVIRONMENTS = sorted(each.parent.name for each in GOLDEN.glob("*/*-network.template.json"))


def templates_of(environment: str) -> dict[str, Any]:
    files = (GOLDEN / environment).glob("*.template.json")
    return {file.name.removesuffix(".template.json"): json.loads(file.read_text()) for file in files}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_templates_use_what_the_plan_uses(environment: str, plan_of: Callable[..., Any]) -> None:
    plan, templates = plan_of(environment), templates_of(environment)
    planned = {use.name: use.used for use in build_scale(plan, load_catalog())}
    assert {name: count(templates) for name, count in USES.items()} == {name: planned.get(name, 0) for name in USES}
    assert nat_gateway_zones(templates) == {zone.zone_id for zone in plan.network.zones if zone.has_nat_gateway}


def test_every_limit_that_an_account_counts_is_counted_in_templates_too() -> None:
    assert COUNTS.keys() - USES.keys() == GROWING
