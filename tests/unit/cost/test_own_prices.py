"""Prices of the environment file: they take the place of those of the catalog, and of those that it has not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.environment_cost import EnvironmentCost
from neuron_cluster.cost.model import CostLine, Scenario
from neuron_cluster.cost.own_prices import SOURCE
from neuron_cluster.report.cost_page import closing_sentences
from neuron_cluster.report.price import price_of
from neuron_cluster.report.storage_cost import storage_costs

from .conftest import CostOf

PRICES = {
    "trn1.32xlarge": "10",
    "ebs-gp3": "0.1",
    "nat-gateway": "0.06",
    "s3-standard": "0.02",
    "lustre-PERSISTENT_2-250": "0.3",
    "nat-gateway-data": "0.05",
}


def line_of(cost: EnvironmentCost, price_key: str) -> CostLine:
    return next(each for each in cost.lines if each.price_key == price_key)


def test_every_kind_of_line_takes_the_price_of_the_file(cost_of: CostOf) -> None:
    cost = cost_of("train-trn1", {"prices": PRICES})
    monthly = {key: line_of(cost, key).monthly(Scenario.DESIRED) for key in PRICES if key != "nat-gateway-data"}
    assert monthly == {
        "trn1.32xlarge": 16 * 730 * 10,
        "ebs-gp3": 2 * 100 * 0.1,
        "nat-gateway": pytest.approx(730 * 0.06),
        "s3-standard": pytest.approx(82_920.72 * 0.02, abs=0.01),
        "lustre-PERSISTENT_2-250": 4_800 * 0.3,
    }
    assert {line_of(cost, key).price.source for key in monthly} == {SOURCE}
    assert [rate.price.usd for rate in cost.rates if rate.name == "nat-gateway-data"] == [0.05]
    assert f"Some are {SOURCE}." in [*closing_sentences(cost)]


def test_without_them_every_price_is_that_of_the_catalog(cost_of: CostOf) -> None:
    assert SOURCE not in {line.price.source for line in cost_of("train-trn1").lines if line.price is not None}


def test_what_has_no_price_is_listed_with_its_key_until_the_file_has_it(cost_of: CostOf) -> None:
    def said(prices: dict[str, str]) -> str:
        return " ".join(closing_sentences(cost_of("dev-trn2", {"prices": prices})))

    assert "Give your own in the file: prices: {" in said({})
    assert "ebs-gp3: USD" in said({})
    assert "ebs-gp3: USD" not in said({"ebs-gp3": "0.15"})


def test_what_no_source_prices_takes_a_price_too(cost_of: CostOf) -> None:
    cost = cost_of("slurm-trn1")
    keys = [line.price_key for line in cost.lines if line.price is None]
    assert keys
    assert all(keys)
    own = cost_of("slurm-trn1", {"prices": dict.fromkeys(keys, "0.5")})
    assert [line.name for line in own.lines if line.price is None] == []


def test_a_spot_group_takes_the_price_of_its_own_key_alone(cost_of: CostOf) -> None:
    spot = {"eks.node_groups.1.capacity": {"kind": "spot"}}
    usual = cost_of("train-trn1", {**spot, "prices": {"trn1.32xlarge": "10"}})
    assert [line.price for line in usual.lines if line.what == "trn1.32xlarge"] == [None]
    cost = cost_of("train-trn1", {**spot, "prices": {"spot-trn1.32xlarge": "6"}})
    assert line_of(cost, "spot-trn1.32xlarge").price.usd == 6


def test_the_plan_shows_them_too(plan_of: Callable[..., Any], catalog: Catalog) -> None:
    plan = plan_of("train-trn1", {"prices": PRICES})
    assert [each.machine_usd for each in price_of(plan, catalog).groups if each.name == "trn1"] == [10]
    stored = next(each for each in storage_costs(plan, catalog) if each.what == "S3 Standard")
    assert stored.usd == pytest.approx(82_920.72 * 0.02, abs=0.01)
    assert stored.formula == f"82,921 x 0.02 USD per GB and month ({SOURCE})"
