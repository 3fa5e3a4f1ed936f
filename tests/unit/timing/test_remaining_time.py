"""The remaining time, from what has begun and what is complete."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from neuron_cluster.catalog.resource_duration import SecondsRange
from neuron_cluster.timing.remaining_time import RemainingTime, ResourceState, States, remaining_time
from neuron_cluster.timing.timed_stack import TimedResource, TimedStack

BEGAN = datetime(2026, 11, 29, 12, tzinfo=UTC)


def resource(name: str, low: int, high: int, *after: str) -> TimedResource:
    return TimedResource(name, "AWS::Some::Type", after, SecondsRange(low=low, high=high))


NETWORK = TimedStack("network", (), (resource("Vpc", 10, 20), resource("Nat", 60, 120, "Vpc")))
CLUSTER = TimedStack("cluster", ("network",), (resource("Cluster", 500, 800),))


def begun(second: int, *, is_complete: bool = False) -> ResourceState:
    return ResourceState(BEGAN + timedelta(seconds=second), is_complete)


def after_seconds(second: int, states: States) -> RemainingTime:
    return remaining_time([NETWORK, CLUSTER], 3, states, BEGAN + timedelta(seconds=second))


def test_before_the_first_event_all_of_it_remains() -> None:
    assert after_seconds(0, {}) == RemainingTime(SecondsRange(low=570, high=940))


def test_a_resource_in_progress_counts_with_the_rest_of_its_time() -> None:
    states = {"network": {"Vpc": begun(0, is_complete=True), "Nat": begun(15)}}
    assert after_seconds(45, states).seconds == SecondsRange(low=30 + 500, high=90 + 800)


def test_a_complete_stack_takes_no_more_time() -> None:
    network = {"Vpc": begun(0, is_complete=True), "Nat": begun(15, is_complete=True)}
    assert after_seconds(200, {"network": network, "cluster": {"Cluster": begun(100)}}).seconds == SecondsRange(
        low=400, high=700
    )


def test_a_resource_that_takes_longer_than_any_source_is_named_and_counts_no_more() -> None:
    states = {"network": {"Vpc": begun(0, is_complete=True), "Nat": begun(15)}}
    found = after_seconds(15 + 121, states)
    assert found.seconds == SecondsRange(low=500, high=800)
    assert [(late.stack, late.logical_id, late.seconds) for late in found.late] == [("network", "Nat", 121)]


def test_all_complete_leaves_nothing() -> None:
    network = {"Vpc": begun(0, is_complete=True), "Nat": begun(15, is_complete=True)}
    states = {"network": network, "cluster": {"Cluster": begun(100, is_complete=True)}}
    assert after_seconds(900, states) == RemainingTime(SecondsRange(low=0, high=0))


def test_an_event_of_a_clock_that_is_ahead_has_just_begun() -> None:
    assert after_seconds(0, {"network": {"Vpc": begun(3600)}}).seconds == SecondsRange(low=570, high=940)


def test_running_stacks_keep_their_places_before_those_that_wait() -> None:
    stacks = [TimedStack(name, (), (resource("Only", 10, 10),)) for name in ("a", "b")]
    states = {"b": {"Only": begun(0)}}
    assert remaining_time(stacks, 1, states, BEGAN + timedelta(seconds=4)).seconds.high == 6 + 10
