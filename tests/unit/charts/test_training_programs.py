"""The programs of charts/neuron-training: what a node knows of its job, and what its ranks are given."""

from dataclasses import replace

import pytest
import ranks
from job import FrontEnd, Job, node_rank, read_job
from training import ENVIRONMENT


@pytest.fixture
def job() -> Job:
    return read_job(ENVIRONMENT)


@pytest.mark.parametrize(
    ("changes", "rank"),
    [
        ({"JOB_COMPLETION_INDEX": "1"}, 1),
        ({"TRAINING_JOB_INDEX": "2", "TRAINING_NODES_PER_JOB": "4", "JOB_COMPLETION_INDEX": "3"}, 11),
        ({"OMPI_COMM_WORLD_RANK": "5"}, 5),
    ],
    ids=["one Job", "a Job an UltraServer", "mpirun"],
)
def test_a_node_knows_its_place_among_all(changes: dict[str, str], rank: int) -> None:
    assert node_rank(ENVIRONMENT | changes) == rank


def test_torchrun_is_given_a_fixed_rank_and_a_process_for_each_core(job: Job) -> None:
    command = ranks.command(replace(job, front_end=FrontEnd.TORCHTITAN, node_rank=1), ["-m", "torchtitan.train"])
    assert command[0] == "torchrun"
    assert "--rdzv_conf=timeout=20" in command, "as long as the pods wait for each other"
    assert {"--nnodes=2", "--nproc_per_node=64", "--node_rank=1", "--master_addr=localhost"} <= set(command)
    assert command[-2:] == ["-m", "torchtitan.train"]


def test_jax_is_one_process_that_is_told_the_cores_of_all(job: Job) -> None:
    assert ranks.command(job, ["train.py"]) == ["python3", "train.py"]
    variables = ranks.environment(job, "10.0.0.1")
    assert variables["NEURON_PJRT_PROCESSES_NUM_DEVICES"] == "64,64"
    assert variables["NEURON_RT_ROOT_COMM_ID"] == "10.0.0.1:63182"
    assert variables["JAX_COORDINATOR_ADDRESS"] == "10.0.0.1:29500"


def test_torchrun_makes_the_variables_of_the_runtime_itself(job: Job) -> None:
    variables = ranks.environment(replace(job, front_end=FrontEnd.NXD), "10.0.0.1")
    assert not [name for name in variables if name.startswith(("NEURON_", "JAX_"))]


def test_a_missing_variable_is_named() -> None:
    with pytest.raises(KeyError, match="TRAINING_CORES"):
        read_job({name: value for name, value in ENVIRONMENT.items() if name != "TRAINING_CORES"})
