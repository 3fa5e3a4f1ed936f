"""The launcher in training jobs of SageMaker, with real processes: stops, interruptions, losses, and who loads what."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from neuron_cluster.checkpoints.checkpoint_manifest import MANIFEST, read_manifest
from neuron_cluster.cli.main import main
from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.fault import Fault
from neuron_cluster.rehearsal.fault_notation import read_fault
from neuron_cluster.rehearsal.trainers import Trainer, jax_folder, values_of
from neuron_cluster.schedulers.sagemaker import launcher
from neuron_cluster.schedulers.sagemaker.launcher import Launch, environment
from neuron_cluster.schedulers.sagemaker.rehearsal.job_faults import JOB_FAULTS
from neuron_cluster.schedulers.sagemaker.rehearsal.rehearse_job import JobOutcome, rehearse_job, with_trainer
from tests.every_case import every_case

needs_namespaces = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)
pytestmark = needs_namespaces

ROOT = Path(__file__).parents[2]
STEPS, EVERY = 30, 5
OPTIONS = {
    "--steps": STEPS,
    "--step-seconds": 20,
    "--checkpoint-every": EVERY,
    "--save-seconds": 10,
    "--compile-seconds": 60,
}
PREFIX = "bucket/runs/llama"
LAUNCH = Launch(
    front_end="jax",
    image="public.ecr.aws/neuron/jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04",
    nodes=2,
    cores=64,
    logical_nc_config=2,
    has_efa=True,
    grace_seconds=75,
    checkpoint_folder=launcher.CHECKPOINTS,
)
needs_jax = pytest.mark.skipif(jax_folder() is None, reason="JAX is not installed: make rehearse")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """S3 with the launcher."""
    folder = tmp_path / "s3"
    channel = folder / "bucket" / "launcher"
    channel.mkdir(parents=True)
    for name, content in launcher.files().items():
        (channel / name).write_bytes(content)
    return folder


def request(program: Sequence[str] = (), trainer: Trainer = Trainer.PLAIN, **changes: Any) -> Mapping[str, Any]:
    made = {
        "TrainingJobName": "llama-1",
        "AlgorithmSpecification": {
            "TrainingImage": LAUNCH.image,
            "TrainingInputMode": "File",
            "ContainerEntrypoint": list(launcher.ENTRYPOINT),
            "ContainerArguments": list(program),
        },
        "ResourceConfig": {"InstanceType": "ml.trn1.32xlarge", "InstanceCount": 2},
        "Environment": environment(LAUNCH),
        "HyperParameters": {"rate": "0.1"},
        "InputDataConfig": [
            {"ChannelName": "launcher", "DataSource": {"S3DataSource": {"S3Uri": "s3://bucket/launcher/"}}}
        ],
        "CheckpointConfig": {"S3Uri": f"s3://{PREFIX}/"},
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/output/"},
        "StoppingCondition": {"MaxRuntimeInSeconds": 24 * 3600},
        **changes,
    }
    return made if program else with_trainer(made, values_of(trainer, OPTIONS))


SPOT = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 7200, "MaxWaitTimeInSeconds": 14400},
}


def right_state(steps: int = STEPS) -> str:
    """The state of the plain trainer after these steps, without an interruption."""
    state = "0" * 64
    for step in range(1, steps + 1):
        state = hashlib.sha256(f"{state} {step}".encode()).hexdigest()
    return state


def messages(job: JobOutcome, reason: str) -> list[str]:
    return [event.message for event in job.outcome.events if event.reason == reason]


def statuses(job: JobOutcome) -> list[str]:
    return [transition.status for transition in job.transitions]


def assert_trained(job: JobOutcome) -> None:
    assert (job.status, job.secondary_status, job.failure_reason) == ("Completed", "Completed", "")
    assert job.outcome.missed_faults == ()
    assert messages(job, "Trained") == [f"step {STEPS}, state {right_state()}"]


@pytest.mark.slow
def test_the_next_job_of_a_prefix_goes_on_where_two_hosts_were_stopped(store: Path) -> None:
    stopped = rehearse_job(request(), store, faults=[Fault("job-stopped", step=12)])
    assert (stopped.status, stopped.secondary_status) == ("Stopped", "Stopped")
    assert statuses(stopped) == ["Starting", "Downloading", "Training", "Stopping", "Uploading", "Stopped"]
    assert messages(stopped, "Exited") == ["exit code 75", "exit code 75"]
    assert messages(stopped, "Killed") == []
    newest = store / PREFIX / str(stopped.newest_checkpoint)
    step = read_manifest((newest / MANIFEST).read_text(encoding="utf-8")).step
    assert 12 <= step < STEPS
    assert {path.name: path.read_text() for path in newest.glob("rank-*")} == dict.fromkeys(
        ("rank-0", "rank-1"), right_state(step)
    )
    following = rehearse_job(request(TrainingJobName="llama-2"), store)
    assert messages(following, "Resumed") == [f"step {step}"]
    assert_trained(following)


@pytest.mark.slow
def test_an_interruption_of_spot_instances_costs_no_step(store: Path) -> None:
    job = rehearse_job(request(**SPOT), store, faults=[Fault("spot-interrupted", step=12)])
    assert_trained(job)
    assert job.attempts == 2
    assert job.outcome.progress is not None
    assert job.outcome.progress.repeated_steps == 0
    assert statuses(job).count("Interrupted") == 1
    assert len(job.outcome.nodes) == 4


@pytest.mark.slow
def test_a_spot_job_without_time_to_wait_is_stopped_with_its_checkpoint(store: Path) -> None:
    limits = {"MaxRuntimeInSeconds": 900, "MaxWaitTimeInSeconds": 900}
    made = request(**SPOT | {"StoppingCondition": limits})
    job = rehearse_job(made, store, faults=[Fault("spot-interrupted", step=7)])
    assert (job.status, job.secondary_status, job.attempts) == ("Stopped", "MaxWaitTimeExceeded", 1)
    assert job.newest_checkpoint is not None


@pytest.mark.slow
def test_a_checkpoint_of_which_a_part_did_not_reach_s3_is_set_aside_by_all_hosts(store: Path) -> None:
    rehearse_job(request(), store, faults=[Fault("job-stopped", step=11)])
    (newest, *_) = sorted((store / PREFIX).glob("step-*"), reverse=True)
    (newest / "rank-1").unlink()
    job = rehearse_job(request(), store)
    assert messages(job, "Resumed") == ["step 10"]
    assert_trained(job)
    kept = list((store / PREFIX / "_incomplete").glob("*/*"))
    assert sorted(path.name for path in kept) == [MANIFEST, "rank-0"], "once, although two hosts had it"
    for folder in (store / PREFIX).glob("step-*"):
        assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, "rank-0", "rank-1"]


@pytest.mark.slow
@every_case("step", [6, 10, 11, 14])
def test_a_lost_host_costs_no_more_than_what_had_not_reached_s3(step: int, store: Path) -> None:
    prefix = f"{PREFIX}-{step}"
    changes = {"RetryStrategy": {"MaximumRetryAttempts": 1}, "CheckpointConfig": {"S3Uri": f"s3://{prefix}/"}}
    job = rehearse_job(request(**changes), store, faults=[Fault("host-lost", step=step, pod=1)])
    assert_trained(job)
    assert (job.attempts, "Restarting" in statuses(job)) == (2, True)
    assert job.outcome.progress is not None
    assert job.outcome.progress.most_repeated_steps <= 2 * EVERY
    last = store / prefix / f"step-{STEPS:06d}"
    assert (last / "rank-0").read_text() == (last / "rank-1").read_text() == right_state()


@pytest.mark.slow
def test_a_lost_host_fails_a_job_without_retries_as_the_service_says(store: Path) -> None:
    job = rehearse_job(request(), store, faults=[Fault("host-lost", step=7)])
    assert (job.status, job.secondary_status) == ("Failed", "Failed")
    assert job.failure_reason.startswith("InternalServerError: ")
    assert job.outcome.ended == "Failed"


@pytest.mark.slow
def test_the_loss_of_the_only_host_is_noted_after_a_minute(store: Path) -> None:
    made = request(ResourceConfig={"InstanceType": "ml.trn1.32xlarge", "InstanceCount": 1})
    job = rehearse_job(made, store, faults=[read_fault("host-lost:0@step=7", JOB_FAULTS)])
    at = {event.reason: event.at for event in job.outcome.events}
    assert (job.status, job.newest_checkpoint) == ("Failed", "step-000005")
    assert 59 < at["Failed"] - at["HostLost"] < 300


@pytest.mark.slow
def test_a_trainer_that_fails_is_the_reason_of_the_job(store: Path) -> None:
    program = "import sys; print('the dataset is empty', file=sys.stderr); sys.exit(3)"
    job = rehearse_job(request(["-c", program]), store)
    assert (job.status, job.secondary_status) == ("Failed", "Failed")
    assert job.failure_reason.startswith("AlgorithmError: the training failed here (node algo-")
    assert "the dataset is empty" in job.failure_reason, "other lines may follow: the other host is gone"
    assert job.failure_reason.endswith(", exit code: 1")


@pytest.mark.slow
def test_a_container_that_was_killed_leaves_no_reason_but_its_exit_code(store: Path) -> None:
    job = rehearse_job(request(), store, faults=[Fault("host-killed", step=7, pod=1)])
    assert job.failure_reason == "AlgorithmError: , exit code: 137"
    assert job.newest_checkpoint == "step-000005"


@pytest.mark.slow
def test_a_trainer_that_does_not_stop_is_killed_and_keeps_its_last_checkpoint(store: Path) -> None:
    program = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(10 ** 6)"
    variables = environment(LAUNCH) | {"TRAINING_GRACE_SECONDS": "500"}
    limits = {"MaxRuntimeInSeconds": 600}
    job = rehearse_job(request(["-c", program], StoppingCondition=limits, Environment=variables), store)
    assert (job.status, job.secondary_status) == ("Stopped", "MaxRuntimeExceeded")
    assert len(messages(job, "Killed")) == 2
    at = {event.reason: event.at for event in job.outcome.events}
    assert 119 < at["Killed"] - at["Stopping"] < 240


@pytest.mark.slow
def test_the_output_of_all_hosts_is_one_archive(store: Path) -> None:
    program = "import os; open(f'/opt/ml/model/{os.environ[\"NODE_RANK\"]}', 'w').close()"
    job = rehearse_job(request(["-c", program]), store)
    assert (job.status, job.outcome.progress) == ("Completed", None)
    with tarfile.open(store / "bucket/output/llama-1/output/model.tar.gz") as archive:
        assert sorted(archive.getnames()) == ["0", "1"]


@pytest.mark.slow
def test_what_the_service_tells_a_container_is_there(store: Path) -> None:
    (store / "bucket/data").mkdir()
    (store / "bucket/data/a.txt").write_text("text")
    channels = [
        *request()["InputDataConfig"],
        {"ChannelName": "train", "DataSource": {"S3DataSource": {"S3Uri": "s3://bucket/data/"}}},
    ]
    program = (
        "import json, os, pathlib as p; c = p.Path('/opt/ml/input/config');"
        "d = {f.stem: json.loads(f.read_text()) for f in c.iterdir()};"
        "d['files'] = [f.name for f in p.Path('/opt/ml/input/data/train').iterdir()];"
        "d['job'] = os.environ['TRAINING_JOB_NAME'];"
        "p.Path('/opt/ml/model/told-' + d['resourceconfig']['current_host']).write_text(json.dumps(d))"
    )
    made = request(["-c", program], InputDataConfig=channels)
    rehearse_job(made, store, keep=store.parent / "kept")
    told = json.loads((store.parent / "kept/attempt-1/algo-2/ml/model/told-algo-2").read_text())
    assert (told["files"], told["job"], told["hyperparameters"]) == (["a.txt"], "llama-1", {"rate": "0.1"})
    assert told["resourceconfig"]["hosts"] == ["algo-1", "algo-2"]
    assert told["resourceconfig"]["current_instance_type"] == "ml.trn1.32xlarge"
    assert told["inputdataconfig"]["train"]["TrainingInputMode"] == "File"
    assert told["checkpointconfig"] == {"LocalPath": "/opt/ml/checkpoints"}


@pytest.mark.slow
def test_hosts_that_share_a_file_system_tell_each_other_to_stop(store: Path) -> None:
    """A fault of one host reaches the other by the notes in the folder, as in pods."""
    shared = "/opt/ml/input/data/lustre/runs/llama"
    channels = [
        *request()["InputDataConfig"],
        {
            "ChannelName": "lustre",
            "DataSource": {
                "FileSystemDataSource": {
                    "FileSystemId": "fs-0123",
                    "FileSystemType": "FSxLustre",
                    "DirectoryPath": "/mount",
                    "FileSystemAccessMode": "rw",
                }
            },
        },
    ]
    variables = environment(msgspec.structs.replace(LAUNCH, checkpoint_folder=shared))
    made = dict(request(InputDataConfig=channels, Environment=variables))
    del made["CheckpointConfig"]
    job = rehearse_job(made, store, faults=[Fault("job-stopped", step=7)])
    folder = store / "fs-0123/mount/runs"
    assert list((folder / ".stop-llama").glob("*.save"))
    following = rehearse_job(made, store)
    assert messages(following, "Resumed") == [f"step {max(int(text.split()[1]) for text in messages(job, 'Saved'))}"]
    assert_trained(following)
    assert not list((folder / "llama").glob("*/_manifest.algo-*"))


def rehearse_chart(*options: str) -> Mapping[str, Any]:
    """`workload rehearse neuron-training` with the same trainer, on two nodes that share a claim."""
    settings = [str(word) for name, value in OPTIONS.items() for word in (name, value)]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        main(
            [
                *("workload", "rehearse", "neuron-training", "train-trn1", "--nodes", "2", "--claim", "lustre"),
                *("--trainer", "plain", "--time", "image_pull=60", "--project", str(ROOT), "--format", "json"),
                *settings,
                *options,
            ]
        )
    found: Mapping[str, Any] = json.loads(printed.getvalue())
    return found


def resumed(outcome: Mapping[str, Any]) -> list[str]:
    return [event["message"] for event in outcome["events"] if event["reason"] == "Resumed"]


@pytest.mark.slow
def test_a_checkpoint_of_pods_is_loaded_by_the_job(store: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    ended = rehearse_chart("--fault", "block-ended@step=13", "--keep", str(kept))
    assert ended["ended"] == "Unfinished"
    (folder,) = kept.glob("claims/lustre/checkpoints/*/neuron-training")
    (store / PREFIX).parent.mkdir()
    folder.rename(store / PREFIX)
    job = rehearse_job(request(), store)
    assert messages(job, "Resumed") == ["step 10"]
    assert_trained(job)


@pytest.mark.slow
def test_a_checkpoint_of_the_job_is_loaded_by_pods(store: Path) -> None:
    stopped = rehearse_job(request(), store, faults=[Fault("job-stopped", step=12)])
    step = int(str(stopped.newest_checkpoint).removeprefix("step-"))
    outcome = rehearse_chart("--file", f"lustre/checkpoints/default/neuron-training={store / PREFIX}")
    assert resumed(outcome) == [f"step {step}"]
    trained = [event["message"] for event in outcome["events"] if event["reason"] == "Trained"]
    assert trained == [f"step {STEPS}, state {right_state()}"]


@needs_jax
@pytest.mark.exhaustive
def test_parts_of_a_network_that_differ_between_hosts_come_back_to_them(store: Path, tmp_path: Path) -> None:
    whole = rehearse_job(request(trainer=Trainer.JAX, CheckpointConfig={"S3Uri": "s3://bucket/other/"}), store)
    rehearse_job(request(trainer=Trainer.JAX), store, faults=[Fault("job-stopped", step=12)])
    following = rehearse_job(request(trainer=Trainer.JAX), store)
    assert messages(following, "Trained") == messages(whole, "Trained")


@pytest.mark.slow
def test_a_fault_that_could_not_happen_is_named(store: Path) -> None:
    faults = [Fault("spot-interrupted", step=3), Fault("job-stopped", step=999)]
    job = rehearse_job(request(), store, faults=faults)
    why = {missed.fault: missed.why for missed in job.outcome.missed_faults}
    assert why == {
        "spot-interrupted@step=3": "the job does not use Spot instances (EnableManagedSpotTraining)",
        "job-stopped@step=999": "the job ended before",
    }


def test_an_unknown_fault_and_an_image_without_an_entry_point_are_rejected(store: Path) -> None:
    with pytest.raises(ToolkitError, match="pod-killed is not a fault of a training job"):
        rehearse_job(request(), store, faults=[Fault("pod-killed")])
    algorithm = {"TrainingImage": "image", "TrainingInputMode": "File"}
    with pytest.raises(ToolkitError, match="ContainerEntrypoint"):
        rehearse_job(request(["x"], AlgorithmSpecification=algorithm), store)


@pytest.mark.slow
def test_the_output_names_what_stands_in_for_something(store: Path) -> None:
    job = rehearse_job(request(), store, faults=[Fault("job-stopped", seconds=100)])
    assert (job.status, job.attempts, job.newest_checkpoint) == ("Stopped", 1, None)
    text = "\n".join(job.stand_ins)
    for what in ("S3", "image", "Neuron device", "assumed", "training program is plain"):
        assert what in text
