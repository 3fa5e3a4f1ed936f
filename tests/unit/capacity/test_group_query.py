"""Queries of the node groups of an environment."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from neuron_cluster.capacity.group_query import QueryTime, group_queries
from neuron_cluster.capacity.query import BlockSpan
from neuron_cluster.catalog.catalog import load_catalog

from .offers import an_offer

CATALOG = load_catalog()
TODAY = date(2026, 11, 23)


def queries(plan: Any) -> Any:
    return group_queries(plan, QueryTime(TODAY, 168, 24), CATALOG)


def test_a_group_on_a_block_asks_for_its_type_its_largest_size_and_its_zone(plan_of: Any) -> None:
    (found,) = queries(plan_of("train-trn2"))
    assert (found.group, found.zone_ids, found.note) == ("trn2", ("use2-az3",), None)
    assert (found.block.unit.name, found.block.count, found.block.hours) == ("trn2.48xlarge", 4, 24)


@pytest.mark.parametrize("environment", ["dev-inf2", "train-trn1", "workstation"])
def test_an_environment_without_blocks_asks_for_nothing(environment: str, plan_of: Any) -> None:
    assert queries(plan_of(environment)) == []


def test_only_offers_in_the_zone_of_the_group_fit(plan_of: Any) -> None:
    (found,) = queries(plan_of("train-trn2"))
    assert found.fits(an_offer(zone_id="use2-az3"))
    assert not found.fits(an_offer(zone_id="use2-az1"))
    assert not found.fits(an_offer(zone_id=None))


def test_a_group_larger_than_a_block_asks_for_one_block_and_says_so(plan_of: Any) -> None:
    edits = {"eks.node_groups.1.count": {"min": 0, "desired": 0, "max": 70}}
    (found,) = queries(plan_of("train-trn2", edits))
    assert found.block.count == 64
    assert "count.max is 70, a block holds 64" in found.note


def test_machines_of_ultraservers_ask_for_ultraservers(plan_of: Any) -> None:
    edits = {
        "region": "ap-south-2",
        "network.availability_zones": ["aps2-az3", "aps2-az1"],
        "storage.lustre": None,
        "eks.node_groups.1.instance_type": "trn2u.48xlarge",
        "eks.node_groups.1.availability_zone": "aps2-az3",
        "eks.node_groups.1.count": {"min": 0, "desired": 0, "max": 8},
        "eks.node_groups.1.capacity.kind": "ultraserver_block",
        "eks.node_groups.1.capacity.ultraserver": "u-trn2x64",
    }
    (found,) = queries(plan_of("train-trn2", edits))
    assert (found.block.unit.name, found.block.count, found.block.instances) == ("u-trn2x64", 2, 8)
    assert found.note is None


DATES = {
    "eks.node_groups.1.capacity.starts": "2026-12-01T11:30:00Z",
    "eks.node_groups.1.capacity.ends": "2026-12-04T11:30:00Z",
}
IN_FILE = BlockSpan(date(2026, 12, 1), date(2026, 12, 4))
NEXT_YEAR = BlockSpan(date(2027, 1, 1))


@pytest.mark.parametrize(
    ("time", "hours", "span"),
    [
        (QueryTime(TODAY, 168), 72, IN_FILE),
        (QueryTime(TODAY, 168, 336), 336, BlockSpan()),
        (QueryTime(TODAY, 168, None, NEXT_YEAR), 72, NEXT_YEAR),
        (QueryTime(date(2026, 12, 1), 168), 72, BlockSpan()),
        (QueryTime(date(2027, 3, 1), 168), 72, BlockSpan()),
    ],
)
def test_the_times_of_the_file_are_asked_for_where_the_command_line_says_nothing(
    time: QueryTime, hours: int, span: BlockSpan, plan_of: Any
) -> None:
    """Blocks that have begun only give the length."""
    (found,) = group_queries(plan_of("train-trn2", DATES), time, CATALOG)
    assert (found.block.hours, found.block.span) == (hours, span)


def test_a_file_with_one_time_or_none_asks_for_the_usual_length(plan_of: Any) -> None:
    starts_alone = dict(list(DATES.items())[:1])
    for edits in ({}, starts_alone):
        (found,) = group_queries(plan_of("train-trn2", edits), QueryTime(TODAY, 168), CATALOG)
        assert (found.block.hours, found.block.span) == (168, BlockSpan())


def test_a_block_bought_on_its_first_day_asks_for_its_whole_length(plan_of: Any) -> None:
    edits = DATES | {"eks.node_groups.1.capacity.starts": "2026-12-01T18:07:00Z"}
    (found,) = group_queries(plan_of("train-trn2", edits), QueryTime(TODAY, 168), CATALOG)
    assert found.block.hours == 72
