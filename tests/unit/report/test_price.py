"""Reference prices of an environment."""

from __future__ import annotations

from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.price import dollars, machine_lines, price_of, price_sentence


def test_a_group_costs_its_count_times_the_catalogs_price(training: ClusterPlan, catalog: Catalog) -> None:
    row = catalog.instance_type("trn1.32xlarge")
    assert row is not None
    price = next(group for group in price_of(training, catalog).groups if group.name == "trn1")
    assert price.machine_usd == row.on_demand_price("us-west-2")
    assert price.desired_usd == 16 * row.on_demand_usd_hour["us-west-2"]
    assert price.as_of == row.on_demand_usd_hour_as_of


def test_a_group_without_a_price_is_named_and_not_counted_as_free(training: ClusterPlan, catalog: Catalog) -> None:
    assert training.eks is not None
    free = tuple(
        structs.replace(group, machine=structs.replace(group.machine, hourly_usd=None))
        for group in training.eks.node_groups
    )
    plan = structs.replace(training, eks=structs.replace(training.eks, node_groups=free))
    price = price_of(plan, catalog)
    assert price.unpriced == ("system", "trn1")
    assert "not known" in price_sentence(price)
    assert all("price not known" in line for line in machine_lines(plan))


def test_the_sentence_says_that_it_is_a_dated_reference(training: ClusterPlan, catalog: Catalog) -> None:
    price = price_of(training, catalog)
    sentence = price_sentence(price)
    assert f"reference price, dated {price.groups[1].as_of}" in sentence
    assert dollars(price.desired_usd) in sentence


def test_dollars_keep_small_fractions() -> None:
    assert dollars(1344.0) == "$1,344.00"
    assert dollars(0.2272) == "$0.2272"
    assert dollars(None) == "not known"
