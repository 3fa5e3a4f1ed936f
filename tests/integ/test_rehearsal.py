"""The training chart under the faults that it promises to live through, by `workload rehearse`."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.faults import FAULTS
from tests.every_case import every_case

pytestmark = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)

ROOT = Path(__file__).parents[2]
STEPS, EVERY = 30, 5
SHORT = ("--time", "image_pull=60", "--compile-seconds", "60")


OF_QUEUES = ("preempted", "queue-stopped")


def _rehearse(capsys: pytest.CaptureFixture[str], fault: str, *arguments: str, nodes: int = 4) -> Mapping[str, Any]:
    """In an environment that has a queue where the fault needs one."""
    environment = "train-trn2" if fault.startswith(OF_QUEUES) else "train-trn1"
    settings = ("--nodes", str(nodes), "--fault", fault)
    return _outcome(capsys, "neuron-training", environment, *settings, *arguments)


def _outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> Mapping[str, Any]:
    main(["workload", "rehearse", *arguments, "--project", str(ROOT), "--claim", "lustre", "--format", "json"])
    found: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _final_state(outcome: Mapping[str, Any]) -> str:
    """Of a run that ended: the digest that the trainer reports with its last step."""
    trained = [event["message"] for event in outcome["events"] if event["reason"] == "Trained"]
    return str(trained[-1]).rpartition("state ")[2] if trained else ""


def _right_state(steps: int) -> str:
    state = "0" * 64
    for step in range(steps):
        state = hashlib.sha256(f"{state} {step}".encode()).hexdigest()
    return state


def _losses(outcome: Mapping[str, Any]) -> list[str]:
    """What the chart promises and this run did not keep."""
    progress = outcome["progress"]
    found = [f"{missed['fault']} did not happen: {missed['why']}" for missed in outcome["missed_faults"]]
    if outcome["ended"] != "Completed":
        found.append(f"{outcome['ended']}: {outcome['why']}")
    elif _final_state(outcome) != _right_state(STEPS):
        found.append("a step was left out or repeated after its checkpoint")
    if progress["lost_checkpoints"]:
        found.append("a complete checkpoint was lost")
    if progress["most_repeated_steps"] > EVERY:
        found.append(f"{progress['most_repeated_steps']} steps were computed again after one restart")
    return found


@pytest.mark.slow
def test_a_drained_node_costs_no_step_and_no_counted_restart(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = _rehearse(capsys, "node-drained", *SHORT, nodes=2)
    assert _losses(outcome) == []
    assert outcome["progress"]["repeated_steps"] == 0
    assert (outcome["counted_restarts"], outcome["uncounted_restarts"]) == (0, 1)


@pytest.mark.exhaustive
@every_case("fault", sorted(FAULTS.keys() - {"block-ended", "server-updated"}))
def test_training_lives_through_every_fault(fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _losses(_rehearse(capsys, fault)) == []


@pytest.mark.exhaustive
def test_a_capacity_block_that_ends_leaves_the_last_checkpoint(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = _rehearse(capsys, "block-ended")
    assert outcome["ended"] == "Unfinished"
    assert (outcome["progress"]["checkpoints"], outcome["progress"]["lost_checkpoints"]) == (2, 0)
    assert outcome["counted_restarts"] == 0


@pytest.mark.exhaustive
@every_case("fault", sorted(FAULTS.keys() - {"block-ended", "preempted", "queue-stopped", "node-late"}))
def test_servers_come_back_without_compiling_again(fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--set", "replicas=2", "--fault", fault)
    outcome = _outcome(capsys, "neuron-serving", "train-trn2", *settings)
    compiled = [event["at"] for event in outcome["events"] if event["reason"] == "Compiling"]
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert [at for at in compiled if at > outcome["seconds"] / 2] == []


@pytest.mark.exhaustive
@every_case("environment", ["train-trn1", "train-trn2"])
def test_node_repair_moves_the_server_of_a_failed_device(environment: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--set", "replicas=2", "--fault", "device-error", "--limit", "1", *SHORT)
    outcome = _outcome(capsys, "neuron-serving", environment, *settings)
    reasons = [event["reason"] for event in outcome["events"]]
    failed, repaired = reasons.index("DeviceError"), reasons.index("NodeRepair")
    assert "BackOff" in reasons[failed:repaired]
    assert "ContainerStarted" not in reasons[failed:repaired]
    assert "ContainerStarted" in reasons[repaired:]
    assert outcome["ended"] == "Completed"


@pytest.mark.exhaustive
def test_an_update_of_two_servers_fails_no_request(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--set", "replicas=2", "--fault", "server-updated")
    outcome = _outcome(capsys, "neuron-serving", "train-trn2", *settings)
    assert outcome["requests"]["failed"] == 0
    assert outcome["requests"]["sent"] > 100


MOMENTS = random.Random(23)  # noqa: S311  no secret
"""The same in each run."""
FAILURES = [
    f"{MOMENTS.choice(('node-lost', 'pod-killed', 'node-drained'))}@{MOMENTS.randint(60, 900)}s" for _ in range(50)
]


@pytest.mark.exhaustive
@every_case("fault", FAILURES)
def test_a_failure_at_any_moment_loses_at_most_one_checkpoint_interval(
    fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _losses(_rehearse(capsys, fault, *SHORT, nodes=2)) == []
