"""Queries, and values that no block can have."""

from datetime import UTC, date, datetime

import pytest

from neuron_cluster.capacity.block_unit import instance_unit, ultraserver_unit
from neuron_cluster.capacity.query import BlockSpan, CapacityBlockQuery, require_one_block
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError

CATALOG = load_catalog()
TRN2, ULTRASERVER = instance_unit("trn2.48xlarge", CATALOG), ultraserver_unit("u-trn2x64", CATALOG)
TODAY = date(2026, 11, 21)


def test_instances_are_asked_within_whole_days() -> None:
    query = CapacityBlockQuery(TRN2, 16, 168, BlockSpan(date(2026, 12, 1), date(2026, 12, 31)))
    request = query.request(TODAY)
    assert (request.instance_type, request.ultraserver_type, request.count) == ("trn2.48xlarge", None, 16)
    assert request.earliest_start == datetime(2026, 12, 1, tzinfo=UTC)
    assert request.latest_end == datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_ultraservers_are_asked_by_their_own_type() -> None:
    query = CapacityBlockQuery(ULTRASERVER, 2, 24)
    request = query.request(TODAY)
    assert (request.instance_type, request.ultraserver_type, request.count) == (None, "u-trn2x64", 2)
    assert query.instances == 8


def test_a_first_day_that_has_begun_is_not_sent() -> None:
    """EC2 would have to look for blocks that start in the past."""
    assert CapacityBlockQuery(TRN2, 1, 24, BlockSpan(first=TODAY)).request(TODAY).earliest_start is None


@pytest.mark.parametrize(
    "span",
    [
        BlockSpan(),
        BlockSpan(TODAY),
        BlockSpan(TODAY, date(2026, 11, 22)),
        BlockSpan(last=date(2026, 11, 22)),
        BlockSpan(last=date.max),
        BlockSpan(first=date.max),
    ],
)
def test_a_span_that_has_room_for_the_block_is_fine(span: BlockSpan) -> None:
    span.require_length(24, TODAY)


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (BlockSpan(first=date(2026, 11, 20)), "--from 2026-11-20 is in the past"),
        (BlockSpan(last=date(2026, 11, 20)), "--until 2026-11-20 is in the past"),
        (BlockSpan(date(2026, 12, 1), date(2026, 12, 1)), "does not fit between 2026-12-01 and 2026-12-01"),
        (BlockSpan(date(2026, 12, 2), date(2026, 12, 1)), "does not fit"),
        (BlockSpan(last=TODAY), "does not fit between 2026-11-21"),
    ],
)
def test_a_span_in_which_no_block_can_lie_is_refused(span: BlockSpan, message: str) -> None:
    with pytest.raises(ToolkitError) as refused:
        span.require_length(24, TODAY)
    assert message in refused.value.message
    assert refused.value.hint


def test_days_beyond_those_that_are_offered_are_known() -> None:
    assert not BlockSpan(date(2027, 1, 16)).is_beyond_offers(CATALOG, TODAY)
    assert BlockSpan(date(2027, 1, 17)).is_beyond_offers(CATALOG, TODAY)


def test_a_block_holds_64_instances() -> None:
    require_one_block(TRN2, 64, CATALOG)
    with pytest.raises(ToolkitError) as refused:
        require_one_block(TRN2, 65, CATALOG)
    assert "1 of 64 and 1 of 1" in refused.value.message
    assert "--count 64 and with --count 1" in refused.value.hint


def test_more_than_all_blocks_hold_is_said_too() -> None:
    with pytest.raises(ToolkitError, match="may hold 256"):
        require_one_block(TRN2, 257, CATALOG)
    with pytest.raises(ToolkitError) as refused:
        require_one_block(TRN2, 256, CATALOG)
    assert refused.value.message.endswith("4 of 64")


def test_no_source_bounds_a_block_of_ultraservers() -> None:
    require_one_block(ULTRASERVER, 65, CATALOG)
