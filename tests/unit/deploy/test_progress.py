"""How far a stack is, told from its events."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from neuron_cluster.aws.cloudformation import StackEvent
from neuron_cluster.aws.session import LocalTarget
from neuron_cluster.deploy.progress import StackProgress, StackWatch
from neuron_cluster.timing.remaining_time import ResourceState

NAME = "train-network"
BEGAN = datetime.now(UTC) - timedelta(seconds=100)


def event(second: int, logical_id: str, status: str, reason: str = "") -> StackEvent:
    kind = "AWS::CloudFormation::Stack" if logical_id == NAME else "AWS::EC2::NatGateway"
    return StackEvent(f"{logical_id}-{second}", BEGAN + timedelta(seconds=second), logical_id, kind, status, reason)


def watch_of(*events: StackEvent) -> StackWatch:
    watch = StackWatch(LocalTarget("eu-north-1", "210987654321", "http://127.0.0.1:9"), {})
    watch.totals[NAME] = 3
    watch._began -= 200
    watch._events[NAME] = list(events)
    return watch


def progress(*events: StackEvent) -> StackProgress:
    return watch_of(*events)._progress(NAME)


def test_a_stack_without_events_waits() -> None:
    found = progress()
    assert (found.status, found.done, found.has_changed, found.slowest) == ("waiting", 0, False, "")


def test_a_change_set_that_is_only_made_is_no_change() -> None:
    assert not progress(event(0, NAME, "REVIEW_IN_PROGRESS")).has_changed


def test_the_slowest_resource_is_the_one_longest_in_progress() -> None:
    found = progress(
        event(0, NAME, "CREATE_IN_PROGRESS"),
        event(1, "Vpc", "CREATE_IN_PROGRESS"),
        event(2, "Nat", "CREATE_IN_PROGRESS"),
        event(3, "Nat", "CREATE_IN_PROGRESS"),
        event(4, "Eip", "CREATE_IN_PROGRESS"),
        event(5, "Vpc", "CREATE_COMPLETE"),
    )
    assert (found.done, found.total) == (1, 3)
    assert found.slowest == "Nat (AWS::EC2::NatGateway)"
    assert found.slowest_seconds >= 98


def test_each_resource_has_its_first_event_and_whether_it_is_made() -> None:
    found = progress(
        event(0, NAME, "CREATE_IN_PROGRESS"),
        event(2, "Nat", "CREATE_IN_PROGRESS"),
        event(1, "Eip", "CREATE_IN_PROGRESS"),
        event(3, "Nat", "CREATE_IN_PROGRESS"),
        event(5, "Eip", "CREATE_COMPLETE"),
    )
    assert found.resources == {
        "Nat": ResourceState(BEGAN + timedelta(seconds=2), is_complete=False),
        "Eip": ResourceState(BEGAN + timedelta(seconds=1), is_complete=True),
    }


def test_a_clock_that_jumps_makes_no_years() -> None:
    """A jump of the clock was told as "5256000 min 01 s"."""
    year = 365 * 24 * 3600
    running = progress(event(0, NAME, "CREATE_IN_PROGRESS"), event(-10 * year, "Nat", "CREATE_IN_PROGRESS"))
    ended = progress(event(0, NAME, "CREATE_IN_PROGRESS"), event(10 * year, NAME, "CREATE_COMPLETE"))
    assert running.slowest_seconds < 300
    assert ended.seconds < 300


def test_a_stack_that_has_ended_names_no_slowest_resource() -> None:
    found = progress(
        event(0, NAME, "CREATE_IN_PROGRESS"), event(1, "Nat", "CREATE_IN_PROGRESS"), event(9, NAME, "CREATE_COMPLETE")
    )
    assert (found.slowest, found.seconds) == ("", 9)


def test_the_first_failure_is_the_cause_and_cancelled_resources_are_none() -> None:
    watch = watch_of(
        event(1, "Eip", "CREATE_FAILED", "Resource creation cancelled"),
        event(3, NAME, "ROLLBACK_IN_PROGRESS", "The following resource(s) failed"),
        event(2, "Vpc", "CREATE_FAILED", "second"),
        event(1, "Nat", "CREATE_FAILED", "no addresses left"),
    )
    assert [(event.logical_id, event.reason) for _, event in watch.failures()] == [
        ("Nat", "no addresses left"),
        ("Vpc", "second"),
    ]


def test_without_a_failed_resource_the_stacks_own_words_count() -> None:
    watch = watch_of(event(0, NAME, "UPDATE_ROLLBACK_FAILED", "the role is gone"))
    assert [(name, event.logical_id, event.reason) for name, event in watch.failures()] == [
        (NAME, NAME, "the role is gone")
    ]
