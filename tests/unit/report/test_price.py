"""Reference prices of an environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.price import dollars, price_of, price_sentence


def test_a_group_costs_its_count_times_the_catalogs_price(training: ClusterPlan, catalog: Catalog) -> None:
    row = catalog.instance_types.get("trn1.32xlarge")
    assert row is not None
    price = next(group for group in price_of(training, catalog).groups if group.name == "trn1")
    assert price.machine_usd == row.on_demand_price("us-west-2")
    assert price.desired_usd == 16 * row.on_demand_usd_hour["us-west-2"]
    assert price.as_of == row.on_demand_usd_hour_as_of


def test_a_group_without_a_price_is_named_and_not_counted_as_free(training: ClusterPlan, catalog: Catalog) -> None:
    assert training.kubernetes is not None
    free = tuple(
        structs.replace(group, machine=structs.replace(group.machine, hourly_usd=None))
        for group in training.kubernetes.node_groups
    )
    plan = structs.replace(training, providers=(structs.replace(training.kubernetes, node_groups=free),))
    price = price_of(plan, catalog)
    assert price.unpriced == ("system", "trn1")
    assert price.desired_usd is price.max_usd is price.desired_at_least_usd is None
    assert "not known an hour" in price_sentence(price)
    assert "Price not known: system, trn1 (the catalog has no price" in price_sentence(price)


@pytest.mark.parametrize(
    ("capacity", "why"),
    [
        ({"kind": "spot"}, "the spot price changes"),
        (
            {
                "kind": "capacity_block",
                "reservation_id": "cr-0123456789abcdef0",
                "starts": "2026-12-01T11:30:00Z",
                "ends": "2026-12-08T11:30:00Z",
            },
            "a capacity block is paid for when it is bought: `neuron-cluster capacity offers` has prices",
        ),
    ],
)
def test_what_is_not_sold_at_the_list_price_is_not_known(
    capacity: dict[str, Any], why: str, plan_of: Callable[..., ClusterPlan], catalog: Catalog
) -> None:
    plan = plan_of("train-trn1", {"eks.node_groups.1.capacity": capacity})
    price = price_of(plan, catalog)
    [trn1] = [group for group in price.groups if group.name == "trn1"]
    assert (trn1.machine_usd, trn1.desired_usd, trn1.why_not) == (None, None, why)
    assert price.desired_usd is None
    assert price.desired_at_least_usd == price.groups[0].desired_usd
    assert f"Instances: at least {dollars(price.desired_at_least_usd)} an hour" in price_sentence(price)
    assert f"Price not known: trn1 ({why})" in price_sentence(price)


def test_no_node_costs_nothing_even_at_an_unknown_price(plan_of: Callable[..., ClusterPlan], catalog: Catalog) -> None:
    edits = {"eks.node_groups.1.capacity": {"kind": "spot"}, "eks.node_groups.1.count.desired": 0}
    price = price_of(plan_of("train-trn1", edits), catalog)
    system, trn1 = price.groups
    assert (trn1.machine_usd, trn1.desired_usd, trn1.max_usd) == (None, 0, None)
    assert price.desired_usd == system.desired_usd
    assert price.desired_usd
    assert (price.max_usd, price.max_at_least_usd) == (None, system.max_usd)


def test_the_cheapest_cluster_is_not_said_to_be_free(plan_of: Callable[..., ClusterPlan], catalog: Catalog) -> None:
    sentence = price_sentence(price_of(plan_of("dev-inf2"), catalog))
    assert "$0.00" not in sentence
    assert "Not included: the EKS control plane, 1 NAT gateway" in sentence


def test_what_else_is_billed_is_named(training: ClusterPlan, catalog: Catalog) -> None:
    named = price_of(training, catalog).not_included
    assert {"the EKS control plane", "FSx for Lustre", "S3", "KMS keys"} <= set(named)


def test_the_sentence_says_that_it_is_a_dated_reference(training: ClusterPlan, catalog: Catalog) -> None:
    price = price_of(training, catalog)
    sentence = price_sentence(price)
    assert f"reference price, dated {price.groups[1].as_of}" in sentence
    assert dollars(price.desired_usd) in sentence


def test_dollars_keep_small_fractions() -> None:
    assert dollars(1344.0) == "$1,344.00"
    assert dollars(0.2272) == "$0.2272"
    assert dollars(None) == "not known"


def test_a_spot_price_that_a_source_saw_is_used_and_dated_apart(
    plan_of: Callable[..., ClusterPlan], catalog: Catalog
) -> None:
    plan = plan_of("dev-trn2", {"eks.node_groups.1.count.desired": 1})
    price = price_of(plan, catalog)
    [trn2] = [group for group in price.groups if group.name == "trn2"]
    assert (trn2.machine_usd, trn2.desired_usd, trn2.is_spot) == (2.57, 2.57, True)
    assert "Spot price, which changes, dated 2026-10-03." in price_sentence(price)
    assert "On-demand reference price" not in price_sentence(price)
