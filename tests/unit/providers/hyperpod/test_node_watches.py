"""When nodes are back after a replacement or a reboot, from lists of nodes as HyperPod returns them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from neuron_cluster.protocol.nodes import Node
from neuron_cluster.providers.hyperpod.node_watches import (
    FAILED_SECONDS,
    RUNNING_SECONDS,
    RebootWatch,
    ReplacementWatch,
)

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
LATER = AT + timedelta(minutes=20)


def node(name: str, status: str = "Running", *, group: str = "trn2", launched: datetime | None = AT) -> Node:
    return Node(
        id=name,
        group=group,
        instance_type="ml.trn2.48xlarge",
        status=status,
        launched=launched,
        has_instance=launched is not None,
    )


A, B, C = node("i-a"), node("i-b"), node("i-c")


def replaced(now: Sequence[Node], *asked: Node) -> tuple[tuple[str, ...], tuple[Node, ...], bool]:
    """Nodes that came back, nodes that failed, and whether the wait is over; A, B and C were the nodes of the group."""
    (progress,) = ReplacementWatch(asked or (A,), (A, B, C)).look(now, 60)
    return progress.back, progress.failed, progress.is_over


@pytest.mark.parametrize(
    "now",
    [
        (A, B, C),
        (node("i-a", "ShuttingDown"), B, C),
        (B, C),
        (B, C, node("i-d", "Pending", launched=LATER)),
        (B, C, node("i-d", "DeepHealthCheckInProgress", launched=LATER)),
        (B, C, node("node-d", "Pending", launched=None)),
    ],
)
def test_a_replacement_is_not_over_before_another_node_runs(now: Sequence[Node]) -> None:
    assert replaced(now) == ((), (), False)


def test_a_replacement_is_over_when_another_node_runs() -> None:
    assert replaced((B, C, node("i-d", launched=LATER))) == (("i-d",), (), True)


def test_an_instance_that_keeps_its_id_is_back_when_it_was_launched_again() -> None:
    assert replaced((node("i-a", launched=LATER), B, C)) == (("i-a",), (), True)


def test_a_node_of_a_group_that_grows_is_not_taken_for_a_replacement() -> None:
    assert replaced((A, B, C, node("i-d", launched=LATER))) == ((), (), False)
    assert replaced((B, C, node("i-d", group="other", launched=LATER))) == ((), (), False)


def test_each_of_several_replaced_nodes_is_awaited() -> None:
    one, two = node("i-d", launched=LATER), node("i-e", launched=LATER)
    assert replaced((C, one), A, B) == (("i-d",), (), False)
    assert replaced((C, one, two), A, B) == (("i-d", "i-e"), (), True)


def test_another_node_that_fails_ends_the_wait() -> None:
    failed = node("i-d", "Failure", launched=LATER)
    assert replaced((B, C, failed)) == ((), (failed,), True)


def test_groups_have_a_progress_each_with_the_statuses_of_all_their_nodes() -> None:
    other = node("i-x", group="other")
    watch = ReplacementWatch((A, other), (A, B, C, other))
    first, second = watch.look((B, C, node("i-d", "Pending", launched=LATER), other), 60)
    assert (first.group, first.expected, dict(first.statuses)) == ("trn2", 1, {"Running": 2, "Pending": 1})
    assert (second.group, second.expected, dict(second.statuses)) == ("other", 1, {"Running": 1})


def test_a_rebooted_node_is_back_when_it_runs_after_another_status() -> None:
    watch = RebootWatch((A,), is_local=False)
    assert not watch.look((A,), 1)[0].is_over
    assert not watch.look((node("i-a", "Pending"),), 15)[0].is_over
    (progress,) = watch.look((A,), 60)
    assert (progress.back, progress.note, progress.is_over) == (("i-a",), "", True)


def test_a_node_that_never_leaves_running_is_back_after_five_minutes_with_a_note() -> None:
    watch = RebootWatch((A,), is_local=False)
    assert not watch.look((A,), RUNNING_SECONDS - 1)[0].is_over
    (progress,) = watch.look((A,), RUNNING_SECONDS)
    assert progress.back == ("i-a",)
    assert progress.note == "i-a was Running in each reading, so that no reboot was seen"


def test_a_failed_node_that_runs_after_the_reboot_is_back() -> None:
    watch = RebootWatch((node("i-a", "Failure"),), is_local=False)
    assert not watch.look((node("i-a", "Failure"),), FAILED_SECONDS - 1)[0].is_over
    assert watch.look((A,), FAILED_SECONDS)[0].back == ("i-a",)


def test_a_node_that_fails_after_its_reboot_or_stays_failed_has_failed() -> None:
    failed = node("i-a", "Failure")
    assert RebootWatch((A,), is_local=False).look((failed,), 30)[0].failed == (failed,)
    assert RebootWatch((failed,), is_local=False).look((failed,), FAILED_SECONDS)[0].failed == (failed,)


def test_a_node_that_is_gone_after_its_reboot_has_failed() -> None:
    (progress,) = RebootWatch((A,), is_local=False).look((B,), 30)
    assert [(gone.id, gone.status) for gone in progress.failed] == [("i-a", "NotFound")]
