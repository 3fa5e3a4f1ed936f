"""Which queries for capacity blocks have one for training plans, and what SageMaker is asked."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from neuron_cluster.capacity.block_unit import instance_unit, ultraserver_unit
from neuron_cluster.capacity.plan_query import PlanQuery, plan_query
from neuron_cluster.capacity.query import BlockSpan, CapacityBlockQuery
from neuron_cluster.catalog.catalog import load_catalog

from .plan_samples import HYPERPOD, ROW

CATALOG = load_catalog()
TODAY = date(2026, 11, 21)


def test_types_of_plans_have_a_query_with_the_name_of_sagemaker() -> None:
    blocks = CapacityBlockQuery(instance_unit("trn1.32xlarge", CATALOG), 4, 48, BlockSpan(TODAY))
    found = plan_query(blocks, CATALOG)
    assert found is not None
    assert (found.row.name, found.count, found.hours, found.span) == ("ml.trn1.32xlarge", 4, 48, BlockSpan(TODAY))
    assert found.summary == "4 x ml.trn1.32xlarge for 2d"
    assert found.impossible is None


def test_other_types_and_ultraservers_have_none() -> None:
    for unit in (instance_unit("trn2.3xlarge", CATALOG), ultraserver_unit("u-trn2x64", CATALOG)):
        assert plan_query(CapacityBlockQuery(unit, 1, 24), CATALOG) is None


@pytest.mark.parametrize(
    ("count", "hours", "said"),
    [(3, 24, "1, 2, 4, 8, 16, 32, 64 instances, not 3"), (1, 183 * 24, "1 to 182 days, not 183")],
)
def test_plans_that_cannot_be_are_told(count: int, hours: int, said: str) -> None:
    impossible = PlanQuery(ROW, count, hours).impossible
    assert impossible is not None
    assert said in impossible


def test_days_that_have_begun_are_not_asked() -> None:
    span = BlockSpan(date(2026, 11, 22), date(2026, 11, 30))
    asked = PlanQuery(ROW, 4, 48, span).request(HYPERPOD, TODAY)
    assert (asked.instance_type, asked.count, asked.hours, asked.target) == (
        "ml.trn2.48xlarge",
        4,
        48,
        "hyperpod-cluster",
    )
    assert asked.earliest_start == datetime(2026, 11, 22, tzinfo=UTC)
    assert asked.latest_end == datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC)
    assert PlanQuery(ROW, 4, 48, BlockSpan(TODAY)).request(HYPERPOD, TODAY).earliest_start is None


def test_a_first_day_beyond_eight_weeks_is_noticed() -> None:
    assert not PlanQuery(ROW, 4, 48, BlockSpan(date(2027, 1, 16))).is_beyond_offers(TODAY)
    assert PlanQuery(ROW, 4, 48, BlockSpan(date(2027, 1, 17))).is_beyond_offers(TODAY)
