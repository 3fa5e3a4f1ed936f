"""Faults that cannot happen are reported: no rehearsal passes because nothing was tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.fault_notation import read_fault
from neuron_cluster.rehearsal.faults import FAULTS
from neuron_cluster.rehearsal.outcome import NOT_CAUSED
from neuron_cluster.rehearsal.planned_faults import Middle
from neuron_cluster.rehearsal.rehearsal import Rehearsal
from tests.every_case import every_case
from tests.unit.rehearsal.worlds import pass_seconds, world


def _rehearsal(folder: Path, *faults: Fault) -> Rehearsal:
    """Returns the rehearsal of a cluster in which nothing runs."""
    folder.mkdir(exist_ok=True)
    return Rehearsal(world(folder), queue=None, faults=faults, middle=Middle(step=15), progress=lambda _at, _what: None)


@every_case(
    "name, why",
    [
        ("preempted", "the workload is in no queue"),
        ("queue-stopped", "the workload is in no queue"),
        ("server-updated", "the workload has no Deployment or DaemonSet"),
        ("disk-full", "the workload mounts no claim"),
        ("stale-files", "the workload mounts no claim"),
        ("node-lost", "no pod was Ready"),
        ("node-drained", "no pod was Ready"),
        ("pod-killed", "no pod was Ready"),
        ("pod-hung", "no pod was Ready"),
        ("device-error", "no pod was Ready"),
    ],
)
def test_a_fault_without_anything_to_hit_is_missed_with_the_reason(name: str, why: str, tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path / name, Fault(name, seconds=60))
    pass_seconds(rehearsal.world, 60)
    rehearsal.faults.miss_the_rest("the rehearsal ended before")
    assert [(missed.fault, missed.why) for missed in rehearsal.faults.missed] == [(f"{name}@60s", why)]
    assert [event.reason for event in rehearsal.world.timeline.events] == [NOT_CAUSED]


def test_a_fault_of_a_pod_that_does_not_run_is_missed(tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path, Fault("pod-killed", seconds=60, pod=7))
    pass_seconds(rehearsal.world, 60)
    assert [missed.why for missed in rehearsal.faults.missed] == ["no pod with index 7 was Ready"]


@every_case("pods, early", [(2, [True, False]), (1, [False, False])])
def test_the_last_needed_node_joins_when_the_fault_ends_and_no_spare_one_before(
    pods: int, early: list[bool], tmp_path: Path
) -> None:
    rehearsal = _rehearsal(tmp_path / str(pods), read_fault("node-late=25m"))
    rehearsal.wanted_pods = pods
    pass_seconds(rehearsal.world, 1490)
    assert [node.is_schedulable for node in rehearsal.world.nodes] == early
    pass_seconds(rehearsal.world, 20)
    assert [node.is_schedulable for node in rehearsal.world.nodes] == [True, True]


@every_case(
    "text, fault",
    [
        ("node-lost", Fault("node-lost")),
        ("node-lost@25m", Fault("node-lost", seconds=1500)),
        ("disk-full@step=12", Fault("disk-full", step=12)),
        ("node-late", Fault("node-late", seconds=0)),
        ("node-late=25m", Fault("node-late", seconds=0, lasts=1500)),
        ("node-late=90s@2m", Fault("node-late", seconds=120, lasts=90)),
        ("pod-killed:2@step=7", Fault("pod-killed", step=7, pod=2)),
        ("queue-stopped=1h@90s", Fault("queue-stopped", seconds=90, lasts=3600)),
    ],
)
def test_a_fault_is_read_as_the_command_line_has_it(text: str, fault: Fault) -> None:
    assert read_fault(text) == fault
    assert read_fault(str(fault)) == fault


@every_case(
    "text, message, hint",
    [
        ("node-lots", "'node-lots' is not a fault", "did you mean node-lost"),
        (":2", "':2' is not a fault", "faults: node-lost"),
        ("pod-killed:x", "'pod-killed:x' is not a fault", "pod-killed"),
        ("disk-full:2", "disk-full does not hit one pod", "faults of a pod: node-lost, node-drained, pod-killed"),
        ("node-lost=5m", "node-lost has no duration", "faults with a duration: node-late, preempted"),
        ("node-late=soon", "'soon' is not a time", "write 90s, 25m, 2h"),
        ("node-late=step=3", "'step=3' is not a time", "write 90s, 25m, 2h"),
        ("node-drain", "'node-drain' is not a fault", "did you mean node-drained"),
        ("", "'' is not a fault", "faults: node-lost"),
        ("node-lost@25", "'25' is not a time", "write 90s, 25m, 2h or step=12"),
        ("node-lost@soon", "'soon' is not a time", "write 90s, 25m, 2h or step=12"),
        ("node-lost@", "'' is not a time", "write 90s, 25m, 2h or step=12"),
    ],
)
def test_a_fault_that_cannot_be_read_is_refused(text: str, message: str, hint: str) -> None:
    with pytest.raises(ToolkitError) as refused:
        read_fault(text)
    assert message in str(refused.value)
    assert hint in str(refused.value.hint)


def test_a_fault_whose_step_or_time_never_comes_is_missed(tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path, Fault("node-lost", step=40), Fault("pod-killed"), Fault("disk-full", seconds=900))
    pass_seconds(rehearsal.world, 600)
    rehearsal.faults.miss_the_rest("the rehearsal ended before")
    assert {(missed.fault, missed.why) for missed in rehearsal.faults.missed} == {
        ("node-lost@step=40", "the rehearsal ended before"),
        ("pod-killed", "the rehearsal ended before"),
        ("disk-full@900s", "the rehearsal ended before"),
    }


def test_a_fault_that_happens_is_not_missed(tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path, Fault("node-late", seconds=0))
    pass_seconds(rehearsal.world, 1)
    rehearsal.faults.miss_the_rest("the rehearsal ended before")
    assert rehearsal.faults.missed == []


@every_case("name", FAULTS)
def test_the_help_of_the_command_names_every_fault(name: str) -> None:
    assert name in (Path(__file__).parents[3] / "neuron_cluster/cli/workload_rehearse.py").read_text(encoding="utf-8")
