"""Progress where nothing can change in place: plain lines, each said once."""

from __future__ import annotations

import io
from typing import Any

import pytest

from neuron_cluster.cli.progress_display import ProgressDisplay, duration
from neuron_cluster.cli.stack_work import result_line
from neuron_cluster.deploy.progress import StackProgress


def stack(status: str, **changes: Any) -> StackProgress:
    values: dict[str, Any] = {"name": "train-network", "done": 3, "total": 57, "seconds": 41.2, **changes}
    return StackProgress(status=status, **values)


def said(*looks: StackProgress) -> list[str]:
    stream = io.StringIO()
    with ProgressDisplay(stream) as display:
        for look in looks:
            display.show([look])
    return stream.getvalue().splitlines()


def test_a_change_of_status_is_said_once_with_the_slowest_resource() -> None:
    running = stack("CREATE_IN_PROGRESS", slowest="Nat (AWS::EC2::NatGateway)", slowest_seconds=38)
    lines = said(stack("waiting"), running, running, stack("CREATE_COMPLETE", done=57))
    assert lines == [
        "train-network  CREATE_IN_PROGRESS  3/57  41 s  slowest: Nat (AWS::EC2::NatGateway) 38 s",
        "train-network  CREATE_COMPLETE  57/57  41 s",
    ]


def test_long_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neuron_cluster.cli.progress_display.QUIET_SECONDS", -1)
    assert len(said(stack("CREATE_IN_PROGRESS"), stack("CREATE_IN_PROGRESS"))) > 2


def test_the_line_below_the_stacks_comes_with_those_that_break_a_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neuron_cluster.cli.progress_display.QUIET_SECONDS", -1)
    stream = io.StringIO()
    with ProgressDisplay(stream, lambda stacks: f"remaining: {len(stacks)}") as display:
        display.show([stack("CREATE_IN_PROGRESS")])
        display.show([stack("CREATE_COMPLETE")])
    lines = stream.getvalue().splitlines()
    assert (lines[-2], lines.count("remaining: 1")) == ("remaining: 1", 1)


def test_an_update_counts_what_is_done_because_the_total_is_not_known() -> None:
    assert said(stack("UPDATE_IN_PROGRESS", total=None)) == ["train-network  UPDATE_IN_PROGRESS  3 done  41 s"]


def test_results_say_no_changes_in_words() -> None:
    assert result_line(stack("waiting")) == "train-network: no changes"
    assert result_line(stack("UPDATE_COMPLETE", done=1)) == "train-network: UPDATE_COMPLETE, 1 resource, 41 s"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59.4, "59 s"), (725, "12 min 05 s"), (3_725, "1 h 02 min"), (-1, "0 s")]
)
def test_durations_read_well(seconds: float, text: str) -> None:
    assert duration(seconds) == text
