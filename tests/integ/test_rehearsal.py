"""The training chart under the faults that it promises to live through, by `workload rehearse`."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import random
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.faults import FAULTS
from neuron_cluster.rehearsal.trainers import Trainer, jax_folder
from tests.every_case import every_case

pytestmark = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)

ROOT = Path(__file__).parents[2]
STEPS, EVERY = 30, 5
SHORT = ("--time", "image_pull=60", "--compile-seconds", "60")

SILENT_SECONDS = 300
"""timeouts.silentSeconds of the chart."""
OF_QUEUES = ("preempted", "queue-stopped")
needs_jax = pytest.mark.skipif(jax_folder() is None, reason="JAX is not installed: make rehearse")


def _rehearse(
    fault: str, *arguments: str, nodes: int = 4, trainer: Trainer = Trainer.JAX, environment: str = ""
) -> Mapping[str, Any]:
    """In an environment that has a queue where the fault needs one."""
    environment = environment or ("train-trn2" if fault.startswith(OF_QUEUES) else "train-trn1")
    settings = ("--nodes", str(nodes), "--trainer", trainer, *(("--fault", fault) if fault else ()))
    outcome = _outcome("neuron-training", environment, *settings, *arguments)
    assert outcome["trainer"] == trainer
    return outcome


def _outcome(*arguments: str) -> Mapping[str, Any]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(["workload", "rehearse", *arguments, "--project", str(ROOT), "--claim", "lustre", "--format", "json"])
    found: Mapping[str, Any] = json.loads(printed.getvalue())
    return found


def _final_state(outcome: Mapping[str, Any]) -> str:
    """Returns the state of a run that ended: the digest that the trainer reports with its last step."""
    trained = [event["message"] for event in outcome["events"] if event["reason"] == "Trained"]
    return str(trained[-1]).rpartition("state ")[2] if trained else ""


@functools.cache
def _right_state(trainer: Trainer, nodes: int) -> str:
    """Returns the state of a training of all steps without an interruption."""
    if trainer is Trainer.JAX:
        return _final_state(_rehearse("", *SHORT, nodes=nodes))
    state = "0" * 64
    for step in range(1, STEPS + 1):
        state = hashlib.sha256(f"{state} {step}".encode()).hexdigest()
    return state


def _losses(outcome: Mapping[str, Any], right_state: str) -> list[str]:
    """Returns the promises of the chart that this run did not keep."""
    progress = outcome["progress"]
    found = [f"{missed['fault']} did not happen: {missed['why']}" for missed in outcome["missed_faults"]]
    if outcome["ended"] != "Completed":
        found.append(f"{outcome['ended']}: {outcome['why']}")
    elif _final_state(outcome) != right_state:
        found.append("a step was left out or repeated after its checkpoint")
    if progress["lost_checkpoints"]:
        found.append("a complete checkpoint was lost")
    if progress["most_repeated_steps"] > EVERY:
        found.append(f"{progress['most_repeated_steps']} steps were computed again after one restart")
    return found


@pytest.mark.slow
def test_a_drained_node_costs_no_step_and_no_counted_restart() -> None:
    outcome = _rehearse("node-drained", *SHORT, nodes=2, trainer=Trainer.PLAIN)
    assert _losses(outcome, _right_state(Trainer.PLAIN, 2)) == []
    assert outcome["progress"]["repeated_steps"] == 0
    assert (outcome["counted_restarts"], outcome["uncounted_restarts"]) == (0, 1)


@pytest.mark.slow
def test_a_truncated_checkpoint_is_set_aside_and_the_one_before_is_loaded(tmp_path: Path) -> None:
    state = "0" * 64
    for step in range(1, 11):
        state = hashlib.sha256(f"{state} {step}".encode()).hexdigest()
        if step % EVERY == 0:
            _save(tmp_path / f"step-{step:06d}", step, state, size=64 if step == EVERY else 12)
    file = f"lustre/checkpoints/default/neuron-training={tmp_path}"
    outcome = _rehearse("", *SHORT, "--file", file, nodes=2, trainer=Trainer.PLAIN)
    assert [event["message"] for event in outcome["events"] if event["reason"] == "Resumed"] == ["step 5"]
    assert _losses(outcome, _right_state(Trainer.PLAIN, 2)) == []


def _save(folder: Path, step: int, state: str, size: int) -> None:
    """A checkpoint of two ranks whose last file has this size, and its manifest the right one."""
    folder.mkdir()
    (folder / "rank-0").write_text(state)
    (folder / "rank-1").write_text(state[:size])
    files = [{"path": f"rank-{rank}", "size": 64, "crc32": zlib.crc32(state.encode())} for rank in range(2)]
    manifest = {"version": 1, "step": step, "completed": "", "parallelism": {"ranks": 2}, "sdk": "", "files": files}
    (folder / "_manifest.json").write_text(json.dumps(manifest))


@needs_jax
@pytest.mark.exhaustive
@every_case("fault", sorted(FAULTS.keys() - {"block-ended", "server-updated"}))
def test_training_lives_through_every_fault(fault: str) -> None:
    assert _losses(_rehearse(fault), _right_state(Trainer.JAX, 4)) == []


@needs_jax
@pytest.mark.exhaustive
def test_a_capacity_block_that_ends_leaves_the_last_checkpoint() -> None:
    outcome = _rehearse("block-ended")
    assert outcome["ended"] == "Unfinished"
    assert (outcome["progress"]["checkpoints"], outcome["progress"]["lost_checkpoints"]) == (2, 0)
    assert outcome["counted_restarts"] == 0


@needs_jax
@pytest.mark.exhaustive
@every_case("trainer", Trainer)
def test_peers_of_a_pod_that_hangs_end_after_the_silence_that_the_chart_allows(trainer: Trainer) -> None:
    outcome = _rehearse("pod-hung:0", *SHORT, nodes=2, trainer=trainer)
    at = {event["reason"]: event["at"] for event in reversed(outcome["events"])}
    waited = next(event["at"] for event in outcome["events"] if "exit code 76" in event["message"]) - at["Hangs"]
    assert SILENT_SECONDS < waited < SILENT_SECONDS + 120
    assert _losses(outcome, _right_state(trainer, 2)) == []
    assert (outcome["counted_restarts"], outcome["uncounted_restarts"]) == (0, 1)


@needs_jax
@pytest.mark.exhaustive
@every_case("trainer", Trainer)
def test_a_pod_that_hangs_for_two_minutes_costs_no_restart(trainer: Trainer) -> None:
    outcome = _rehearse("pod-hung:0=2m", *SHORT, nodes=2, trainer=trainer)
    assert _losses(outcome, _right_state(trainer, 2)) == []
    assert (outcome["counted_restarts"], outcome["uncounted_restarts"]) == (0, 0)


@needs_jax
@pytest.mark.exhaustive
@every_case("trainer", Trainer)
def test_a_peer_that_is_three_hours_late_uses_up_no_restart(trainer: Trainer) -> None:
    outcome = _rehearse("node-late=3h", *SHORT, nodes=2, trainer=trainer)
    assert _losses(outcome, _right_state(trainer, 2)) == []
    assert outcome["counted_restarts"] == 0


@needs_jax
@pytest.mark.exhaustive
@every_case("front_end", ["jax", "nxd"])
def test_ranks_of_a_node_are_devices_of_jax_or_processes_of_torchrun(front_end: str) -> None:
    settings = ("--front-end", front_end, "--ranks", "2", "--fault", "pod-killed:0")
    outcome = _rehearse("", *SHORT, *settings, nodes=2)
    assert (outcome["ended"], outcome["missed_faults"], outcome["counted_restarts"]) == ("Completed", [], 1)
    assert outcome["progress"]["most_repeated_steps"] <= EVERY


@pytest.mark.exhaustive
@every_case("fault", sorted(FAULTS.keys() - {"block-ended", "preempted", "queue-stopped", "node-late"}))
def test_servers_come_back_without_compiling_again(fault: str) -> None:
    settings = ("--set", "replicas=2", "--fault", fault)
    outcome = _outcome("neuron-serving", "train-trn2", *settings)
    compiled = [event["at"] for event in outcome["events"] if event["reason"] == "Compiling"]
    assert (outcome["ended"], outcome["missed_faults"]) == ("Completed", [])
    assert [at for at in compiled if at > outcome["seconds"] / 2] == []


@pytest.mark.exhaustive
@every_case("environment", ["train-trn1", "train-trn2"])
def test_node_repair_moves_the_server_of_a_failed_device(environment: str) -> None:
    settings = ("--set", "replicas=2", "--fault", "device-error", "--limit", "1", *SHORT)
    outcome = _outcome("neuron-serving", environment, *settings)
    reasons = [event["reason"] for event in outcome["events"]]
    failed, repaired = reasons.index("DeviceError"), reasons.index("NodeRepair")
    assert "BackOff" in reasons[failed:repaired]
    assert "ContainerStarted" not in reasons[failed:repaired]
    assert "ContainerStarted" in reasons[repaired:]
    assert outcome["ended"] == "Completed"


@pytest.mark.exhaustive
def test_an_update_of_two_servers_fails_no_request() -> None:
    settings = ("--set", "replicas=2", "--fault", "server-updated")
    outcome = _outcome("neuron-serving", "train-trn2", *settings)
    assert outcome["requests"]["failed"] == 0
    assert outcome["requests"]["sent"] > 100


DRAWN = random.Random(23)  # noqa: S311  no secret
"""The same in each run."""


def _failure() -> str:
    """A pod, a node or the queue, at a step or between two."""
    name = DRAWN.choice(("node-lost", "node-drained", "pod-killed", "pod-hung", *OF_QUEUES))
    what = f"={DRAWN.randint(1, 20)}m" if name in OF_QUEUES else f":{DRAWN.randint(0, 1)}"
    when = DRAWN.choice((f"step={DRAWN.randint(1, STEPS - 1)}", f"{DRAWN.randint(90, 850)}s"))
    return f"{name}{what}@{when}"


@needs_jax
@pytest.mark.exhaustive
@pytest.mark.parametrize("fault", [_failure() for _ in range(50)])
def test_a_failure_at_any_moment_loses_at_most_one_checkpoint_interval(fault: str) -> None:
    assert _losses(_rehearse(fault, *SHORT, nodes=2), _right_state(Trainer.JAX, 2)) == []
