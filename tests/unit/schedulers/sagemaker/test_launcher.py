"""The channel, variables and arguments with which a training job starts the launcher of charts/neuron-training."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import yaml

from neuron_cluster.schedulers.sagemaker import launcher
from neuron_cluster.schedulers.sagemaker.launcher import CHANNEL, ENTRYPOINT, Launch, environment

CHART = Path(__file__).parents[4] / "charts" / "neuron-training"
LAUNCH = Launch(
    front_end="nxd",
    image="763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training-neuronx:2.9.0-neuronx-py312-sdk2.30.0",
    nodes=2,
    cores=32,
    logical_nc_config=None,
    has_efa=True,
    grace_seconds=60,
    checkpoint_folder="/opt/ml/checkpoints",
)
OF_NODES = {
    *("TRAINING_NODES", "TRAINING_NODES_PER_JOB", "TRAINING_JOB_INDEX", "JOB_COMPLETION_INDEX", "TRAINING_RESTARTS"),
    *("TRAINING_MASTER_HOST", "HOSTNAME", "OMPI_COMM_WORLD_RANK"),
}
"""Variables of job.py that on_sagemaker.py sets on each node, or that mpirun sets."""


def test_the_channel_has_the_programs_of_the_chart_and_the_entry_point() -> None:
    files = launcher.files()
    assert files["launch.py"] == (CHART / "files/launch.py").read_bytes()
    assert f"/opt/ml/input/data/{CHANNEL}/" in ENTRYPOINT[-1]
    assert Path(ENTRYPOINT[-1]).name in files
    assert [name for name in files if not name.endswith(".py")] == []


def test_the_digest_follows_names_and_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = set()
    for files in ({"a": b"1", "b": b"2"}, {"a": b"2", "b": b"1"}, {"a": b"12", "b": b""}, {"ab": b"12"}):
        monkeypatch.setattr(launcher, "files", lambda files=files: files)
        digests.add(launcher.digest())
    assert len(digests) == 4


def test_the_environment_has_every_variable_that_the_launcher_requires() -> None:
    read = re.findall(r'environment\["([A-Z_]+)"\]', (CHART / "files/job.py").read_text(encoding="utf-8"))
    assert set(read) - OF_NODES - environment(LAUNCH).keys() == set()


def test_ports_and_times_are_those_of_the_chart() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    found = environment(LAUNCH)
    assert {
        "TRAINING_MASTER_PORT": values["network"]["masterPort"],
        "TRAINING_ROOT_COMMUNICATION_PORT": values["network"]["rootCommunicationPort"],
        "TRAINING_TOPOLOGY_PORT": values["network"]["topologyPort"],
        "TRAINING_START_TIMEOUT_SECONDS": values["timeouts"]["startSeconds"],
        "TRAINING_SILENT_SECONDS": values["timeouts"]["silentSeconds"],
        "TRAINING_STALE_LOCK_MINUTES": values["compileCache"]["staleLockMinutes"],
        "TRAINING_MAX_LOSSES": values["restarts"]["maxLosses"],
        "TRAINING_MAX_WITHOUT_CHECKPOINT": values["restarts"]["maxWithoutCheckpoint"],
    }.items() <= {name: int(text) if text.isdecimal() else text for name, text in found.items()}.items()
    assert found["TRAINING_STOP_SIGNAL"] == values["stop"]["signal"]


def test_efa_has_its_variables_only_where_there_is_efa() -> None:
    with_efa = environment(LAUNCH)
    assert (with_efa["FI_PROVIDER"], with_efa["FI_EFA_USE_DEVICE_RDMA"]) == ("efa", "1")
    without = environment(msgspec.structs.replace(LAUNCH, has_efa=False))
    assert [name for name in without if name.startswith("FI_")] == []


def test_a_grace_leaves_time_for_the_last_manifest() -> None:
    assert environment(LAUNCH)["TRAINING_GRACE_SECONDS"] == "60"
    long = environment(msgspec.structs.replace(LAUNCH, grace_seconds=600))
    assert int(long["TRAINING_GRACE_SECONDS"]) < launcher.STOP_SECONDS - 30


def test_a_folder_that_sagemaker_copies_is_one_nodes_and_needs_a_manifest() -> None:
    found = environment(LAUNCH)
    assert found["CHECKPOINT_DIRECTORY"] == "/opt/ml/checkpoints"
    assert (found["TRAINING_FOLDER_PER_NODE"], found["TRAINING_WITHOUT_MANIFEST"]) == ("true", "reject")
    assert found["TRAINING_STOP_FOLDER"] == ""


def test_a_folder_of_a_file_system_is_shared_and_has_the_notes_beside_it() -> None:
    shared = environment(msgspec.structs.replace(LAUNCH, checkpoint_folder="/opt/ml/input/data/lustre/runs/llama"))
    assert shared["TRAINING_STOP_FOLDER"] == "/opt/ml/input/data/lustre/runs/.stop-llama"
    assert "TRAINING_FOLDER_PER_NODE" not in shared


def test_without_checkpoints_the_launcher_has_no_folder() -> None:
    found = environment(msgspec.structs.replace(LAUNCH, checkpoint_folder=""))
    assert "CHECKPOINT_DIRECTORY" not in found
    assert found["TRAINING_STOP_FOLDER"] == ""


@pytest.mark.parametrize(
    ("cache", "folder"),
    [("s3://bucket/cache", ""), ("/opt/ml/input/data/lustre/cache", "/opt/ml/input/data/lustre/cache")],
)
def test_locks_of_a_cache_are_cared_for_in_a_folder_only(cache: str, folder: str) -> None:
    found = environment(msgspec.structs.replace(LAUNCH, cache=cache))
    assert (found["NEURON_COMPILE_CACHE_URL"], found["TRAINING_CACHE_FOLDER"]) == (cache, folder)


def test_variables_of_the_user_win() -> None:
    chosen = {"TRAINING_WITHOUT_MANIFEST": "accept", "WANDB_MODE": "offline"}
    assert chosen.items() <= environment(msgspec.structs.replace(LAUNCH, variables=chosen)).items()


def test_arguments_are_the_program_and_what_it_gets() -> None:
    words = launcher.arguments(["train.py"], ["--dump_folder=$(CHECKPOINT_DIRECTORY)"])
    assert words == ("train.py", "--dump_folder=$(CHECKPOINT_DIRECTORY)")
