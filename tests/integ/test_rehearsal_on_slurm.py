"""Job scripts of Slurm, byte by byte as `workload render` has them, with real processes: signals, losses, limits."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from neuron_cluster.rehearsal import namespaces
from tests.every_case import every_case

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"),
]
STEPS = 30
JOB = ("workload", "rehearse", "train-jax", "slurm-trn1")
SHORT = ("--trainer", "plain", "--compile-seconds", "60", "--variable", "CHECKPOINT_DIRECTORY=/fsx/run")


def right_state(steps: int = STEPS) -> str:
    """The state of the plain trainer after these steps, without an interruption."""
    state = "0" * 64
    for step in range(1, steps + 1):
        state = hashlib.sha256(f"{state} {step}".encode()).hexdigest()
    return state


def messages(ran: Any, reason: str) -> list[str]:
    return [event["message"] for event in ran.document["events"] if event["reason"] == reason]


def assert_trained(ran: Any) -> None:
    job = ran.document["slurm_job"]
    assert (ran.status, ran.document["ended"], job["state"]) == (0, "Completed", "COMPLETED")
    assert (ran.document["missed_faults"], ran.document["not_modelled"]) == ([], [])
    assert messages(ran, "Trained") == [f"step {STEPS}, state {right_state()}"]
    assert job["newest_checkpoint"] == f"step-{STEPS:06d}"


def test_a_job_that_is_signalled_saves_and_is_requeued(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--fault", "job-signalled@step=12")
    assert_trained(ran)
    assert messages(ran, "TaskEnded") == ["exit status 75"] * 2 + ["exit status 0"] * 2
    assert ran.document["progress"]["repeated_steps"] == 0
    assert ran.document["slurm_job"]["restarts"] == 1
    first, second = messages(ran, "Resumed")
    assert (first, int(second.split()[1]) >= 12) == ("step 0", True)


@every_case("node", [0, 1])
def test_a_lost_node_costs_no_more_than_the_steps_since_a_checkpoint(node: int, command: Any) -> None:
    ran = command(*JOB, *SHORT, "--fault", f"node-lost:{node}@step=13")
    assert_trained(ran)
    assert 0 < ran.document["progress"]["repeated_steps"] <= 5
    at = {event["reason"]: event["at"] for event in ran.document["events"]}
    assert 299 < at["DOWN"] - at["NodeLost"] < 400
    (following,) = [event["subject"] for event in ran.document["events"] if event["reason"] == "Joined"]
    assert following in messages(ran, "RUNNING")[1]
    assert len(ran.document["nodes"]) == 3


def test_the_time_limit_is_announced_to_the_script_and_the_job_goes_on_in_another_run(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--limit", "1", "--step-seconds", "150")
    assert_trained(ran)
    signalled = [event["at"] for event in ran.document["events"] if event["reason"] == "Signalled"]
    assert 2699 < signalled[0] < 2800, "15 minutes before the limit"
    assert ran.document["progress"]["repeated_steps"] == 0
    assert messages(ran, "Killed") == []


def test_a_job_that_is_cancelled_ends_with_what_it_had_saved_in_time(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--fault", "job-cancelled@step=13", "--save-seconds", "400")
    job = ran.document["slurm_job"]
    assert (ran.status, ran.document["ended"], job["state"], job["restarts"]) == (1, "Unfinished", "CANCELLED", 0)
    assert job["newest_checkpoint"] == "step-000010", "400 s to save, and 30 until SIGKILL"
    assert messages(ran, "Killed") == ["SIGKILL after KillWait"]


def test_a_killed_rank_ends_the_job_and_its_other_node(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--fault", "rank-killed:1@step=7")
    job = ran.document["slurm_job"]
    assert (ran.status, ran.document["ended"], job["state"]) == (1, "Failed", "FAILED")
    assert messages(ran, "TaskEnded") == ["exit status 1"] * 2
    assert job["newest_checkpoint"] == "step-000005"


def test_torchrun_on_hyperpod_starts_its_ranks_and_they_save_together(command: Any) -> None:
    variables = ("--variable", "VIRTUAL_ENVIRONMENT=/opt/venv", "--variable", "TRAINING_FRONT_END=nxd")
    job = ("workload", "rehearse", "train-torchrun", "hyperpod-slurm-trn1", "--ranks", "2")
    ran = command(*job, *SHORT, *variables, "--fault", "job-signalled@step=12")
    assert_trained(ran)
    assert ran.document["progress"]["repeated_steps"] == 0
    assert ran.document["replaced_programs"] == ["torchrun"]


def test_what_a_task_finds_is_what_a_node_of_the_group_has(project: Path, tmp_path: Path) -> None:
    program = tmp_path / "look.py"
    program.write_text(
        "import json, os, pathlib\n"
        "names = ('SLURM_NODEID', 'SLURMD_NODENAME', 'SLURM_NNODES', 'NEURON_LOGICAL_NC_CONFIG', 'FI_PROVIDER')\n"
        "found = {name: os.environ.get(name) for name in names}\n"
        "found['devices'] = len(list(pathlib.Path('/dev').glob('neuron*')))\n"
        "found['folder'] = os.getcwd()\n"
        "pathlib.Path(f'/fsx/found-{os.environ[\"NODE_RANK\"]}').write_text(json.dumps(found))\n"
    )
    kept = tmp_path / "kept"
    given = ("--file", f"fsx/look.py={program}", "--keep", str(kept))
    assert main([*JOB, *SHORT, *given, "--project", str(project), "--run", "/fsx/look.py"]) == 0
    found = [(kept / f"shared/fsx/found-{rank}").read_text() for rank in (0, 1)]
    assert ['"SLURM_NODEID": "0"' in found[0], '"SLURM_NODEID": "1"' in found[1]] == [True, True]
    for text in found:
        assert '"FI_PROVIDER": "efa"' in text, "by the task prolog"
        assert '"devices": 16' in text
        assert '"folder": "/fsx"' in text
    assert not (tmp_path / "kept/shared/fsx/.stop-root").exists()


def test_nothing_outlives_a_rehearsal(command: Any) -> None:
    command(*JOB, *SHORT, "--steps", "5", "--fault", "job-cancelled@step=2")
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            left.append((process / "cmdline").read_bytes())
    assert not [each for each in left if b"/opt/neuron-cluster/training" in each]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--fault", "pod-killed"), "--fault 'pod-killed' is not a fault"),
        (("--file", "lustre/a=/etc/hosts"), "the workload mounts no folder lustre"),
        (("--claim", "lustre"), "--claim is an option of charts, and train-jax is a job"),
        (("--time", "image_pul=60"), "no such time"),
        (("--sbatch=--nodelist=node-[1-9]",), "--nodelist"),
    ],
)
def test_options_that_do_not_fit_are_refused(arguments: tuple[str, ...], text: str, command: Any) -> None:
    ran = command(*JOB, *SHORT, *arguments)
    assert (ran.status, text in str(ran.document)) == (1, True)


def test_a_job_that_does_not_train_cannot_be_rehearsed(command: Any) -> None:
    ran = command("workload", "rehearse", "check-collectives", "slurm-trn1")
    assert (ran.status, "cannot be rehearsed" in str(ran.document)) == (1, True)


def test_a_job_without_its_checkpoint_folder_is_refused_as_render_refuses_it(command: Any) -> None:
    ran = command(*JOB, "--trainer", "plain")
    assert (ran.status, "train-jax needs the variable CHECKPOINT_DIRECTORY" in str(ran.document)) == (1, True)
