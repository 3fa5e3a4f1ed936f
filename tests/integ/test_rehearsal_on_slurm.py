"""Job scripts of Slurm, byte by byte as `workload render` has them, with real processes: signals, losses, limits."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
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
ENVIRONMENTS = Path(__file__).parents[2] / "environments"
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
    assert messages(ran, "Exited") == ["exit code 75"] * 2 + ["exit code 0"] * 2
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
    assert 299 < at["DOWN"] - at["NodeLost"] < 900
    (following,) = [event["subject"] for event in ran.document["events"] if event["reason"] == "Joined"]
    assert following in messages(ran, "RUNNING")[1]
    assert len(ran.document["nodes"]) == 3


def test_the_time_limit_is_announced_to_the_script_and_the_job_is_requeued(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--time", "60", "--step-seconds", "150")
    assert_trained(ran)
    signalled = [event["at"] for event in ran.document["events"] if event["reason"] == "Signalled"]
    assert 2699 < signalled[0] < 3300, "15 minutes before the limit"
    assert ran.document["progress"]["repeated_steps"] == 0
    assert messages(ran, "Exited") == ["exit code 75"] * 2 + ["exit code 0"] * 2


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
    assert messages(ran, "Exited") == ["exit code 1"] * 2
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
    (notes,) = (kept / "shared/fsx").glob(".stop-*")
    assert list(notes.iterdir()) == [], "notes of nodes to each other end with the job"


def test_all_lost_nodes_are_replaced(command: Any) -> None:
    faults = ("--fault", "node-lost:0@step=7", "--fault", "node-lost:1@step=7", "--fault", "node-lost:0@step=20")
    ran = command(*JOB, *SHORT, *faults)
    assert_trained(ran)
    joined = [event["subject"] for event in ran.document["events"] if event["reason"] == "Joined"]
    assert len(joined) == len(set(joined)) == 3
    assert len(ran.document["nodes"]) == 5
    assert ran.document["slurm_job"]["restarts"] == 2


@every_case("fault", ["job-signalled@step=12", "node-lost@step=12"])
def test_a_job_that_may_not_be_requeued_ends(fault: str, command: Any) -> None:
    job = command(*JOB, *SHORT, "--sbatch=--no-requeue", "--fault", fault).document["slurm_job"]
    state = "FAILED" if fault.startswith("job") else "NODE_FAIL"
    assert (job["state"], job["restarts"]) == (state, 0)
    assert job["newest_checkpoint"] is not None


def test_nothing_takes_the_place_of_a_node_without_recovery(command: Any, tmp_path: Path) -> None:
    text = (ENVIRONMENTS / "hyperpod-slurm-trn1.yaml").read_text(encoding="utf-8")
    assert text.count("node_recovery: automatic") == 1
    file = tmp_path / "hyperpod-slurm-trn1.yaml"
    file.write_text(text.replace("node_recovery: automatic", "node_recovery: none"), encoding="utf-8")
    job = ("workload", "rehearse", "train-jax", str(file))
    ran = command(*job, *SHORT, "--fault", "node-lost@step=7")
    assert (ran.status, ran.document["ended"], ran.document["slurm_job"]["state"]) == (1, "Unfinished", "PENDING")
    assert ran.document["why"] == "nothing takes the place of trn1-2"


@every_case("option", ["--signal=TERM@900", "--signal=B:15@900", "--signal=B:SIGTERM@900"])
def test_each_form_of_a_signal_before_the_limit_saves_a_checkpoint(option: str, command: Any) -> None:
    ran = command(*JOB, *SHORT, "--time", "60", "--step-seconds", "150", "--steps", "20", f"--sbatch={option}")
    signalled = [event["at"] for event in ran.document["events"] if event["reason"] == "Signalled"]
    assert 2699 < signalled[0] < 3300
    assert (ran.document["not_modelled"], ran.document["progress"]["repeated_steps"]) == ([], 0)


def test_a_job_at_its_time_limit_ends(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--time", "30", "--step-seconds", "600", "--sbatch=--signal=B:USR1@60")
    assert (ran.status, ran.document["slurm_job"]["state"]) == (1, "TIMEOUT")
    assert ran.document["not_modelled"] == ["--signal=B:USR1@60"]


def test_a_rehearsal_has_an_end(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "sleep.py"
    program.write_text("import time\ntime.sleep(10**8)\n")
    given = ("--file", f"fsx/sleep.py={program}", "--limit", "2", "--project", str(project))
    assert main([*JOB, *SHORT, *given, "--run", "/fsx/sleep.py"]) == 1
    assert "Unfinished after 2:0" in capsys.readouterr().out


def test_options_without_an_effect_and_folders_that_are_not_shared_are_named(command: Any) -> None:
    variables = ("--variable", "CHECKPOINT_DIRECTORY=/fsx/../home/run")
    ran = command(*JOB, "--trainer", "plain", *variables, "--steps", "3", "--sbatch=--array=0-2")
    first, second = ran.document["not_modelled"]
    assert (first, second.partition(":")[0]) == ("--array=0-2", "CHECKPOINT_DIRECTORY /home/run")
    assert ran.document["slurm_job"]["newest_checkpoint"] is None


def test_nothing_outlives_a_rehearsal(command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    command(*JOB, *SHORT, "--steps", "5", "--fault", "job-cancelled@step=2", "--variable", f"MARK={tmp_path}")
    assert not list(temporary.iterdir())
    left = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            left.append((process / "environ").read_bytes())
    assert not [each for each in left if f"MARK={tmp_path}".encode() in each]


def test_what_is_kept_can_be_copied_and_drawn(command: Any, tmp_path: Path) -> None:
    kept, drawing = tmp_path / "kept", tmp_path / "timeline.svg"
    places = ("--keep", str(kept), "--svg", str(drawing))
    command(*JOB, *SHORT, "--fault", "node-lost:0@step=3", "--steps", "6", *places)
    shutil.copytree(kept, tmp_path / "copy")
    text = drawing.read_text(encoding="utf-8")
    assert text.count('<rect class="') == 4, "two attempts on two nodes"
    for node in ("1", "2", "3"):
        assert f"-{node}</text>" in text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--fault", "pod-killed"), "--fault 'pod-killed' is not a fault"),
        (("--file", "lustre/a=/etc/hosts"), "the workload mounts no folder lustre"),
        (("--claim", "lustre"), "--claim is an option of charts, and train-jax is a job"),
        (("--time", "image_pul=60"), "no such time"),
        (("--time", "image_pull=60"), "it has no effect on a job of Slurm"),
        (("--time", "soon"), "'soon' is not a time limit of Slurm"),
        (("--fault", "node-lost=5m"), "node-lost has no duration"),
        (("--file", "s3://logs/a=/etc/hosts"), "no program of a rehearsed job of Slurm reads a bucket"),
        (("--file", "fsx/a=/etc/hosts", "--file", "fsx/a/b=/etc/hosts"), "it cannot be copied: File exists"),
        (("--keep", "/proc/kept"), "--keep /proc/kept cannot be created"),
        (("--svg", "/tmp"), "--svg /tmp is a folder"),  # noqa: S108
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


def test_a_node_that_the_job_does_not_have_is_not_lost(command: Any) -> None:
    ran = command(*JOB, *SHORT, "--steps", "6", "--fault", "node-lost:9")
    why = [missed["why"] for missed in ran.document["missed_faults"]]
    assert (ran.status, why) == (1, ["the job has no node with index 9"])
