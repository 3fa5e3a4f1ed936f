"""Faults that cannot happen are reported: no rehearsal passes because nothing was tried."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.rehearsal.faults import Fault
from neuron_cluster.rehearsal.outcome import NOT_CAUSED
from neuron_cluster.rehearsal.rehearsal import Rehearsal
from tests.every_case import every_case
from tests.unit.rehearsal.worlds import pass_seconds, world


def _rehearsal(folder: Path, *faults: Fault) -> Rehearsal:
    """Of a cluster in which nothing runs."""
    folder.mkdir(exist_ok=True)
    return Rehearsal(
        world(folder), queue=None, faults=faults, steps=30, middle_seconds=0, progress=lambda _at, _what: None
    )


@every_case(
    "name, why",
    [
        ("preempted", "the workload is in no queue"),
        ("server-updated", "the workload has no Deployment"),
        ("disk-full", "the workload mounts no claim"),
        ("stale-files", "the workload mounts no claim"),
        ("node-lost", "no pod was Ready"),
        ("node-drained", "no pod was Ready"),
        ("pod-killed", "no pod was Ready"),
        ("device-error", "no pod was Ready"),
    ],
)
def test_a_fault_without_anything_to_hit_is_missed_with_the_reason(name: str, why: str, tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path / name, Fault(name, seconds=60))
    pass_seconds(rehearsal.world, 60)
    rehearsal.miss_the_rest()
    assert [(missed.fault, missed.why) for missed in rehearsal.missed] == [(f"{name}@60s", why)]
    assert [event.reason for event in rehearsal.world.timeline.events] == [NOT_CAUSED]


def test_a_fault_whose_step_or_time_never_comes_is_missed(tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path, Fault("node-lost", step=40), Fault("pod-killed"), Fault("disk-full", seconds=900))
    pass_seconds(rehearsal.world, 600)
    rehearsal.miss_the_rest()
    assert {(missed.fault, missed.why) for missed in rehearsal.missed} == {
        ("node-lost@step=40", "the rehearsal ended before"),
        ("pod-killed", "the rehearsal ended before"),
        ("disk-full@900s", "the rehearsal ended before"),
    }


def test_a_fault_that_happens_is_not_missed(tmp_path: Path) -> None:
    rehearsal = _rehearsal(tmp_path, Fault("node-late", seconds=0))
    pass_seconds(rehearsal.world, 1)
    rehearsal.miss_the_rest()
    assert rehearsal.missed == []
