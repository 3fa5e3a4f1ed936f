"""A bundled job script, byte by byte the same, on clusters of PCS, HyperPod and ParallelCluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from neuron_cluster.schedulers.slurm.node_files import SCRIPTS

from .hyperpod_cluster import HyperPodCluster
from .parallelcluster_cluster import ParallelClusterCluster
from .slurm_cluster import SlurmCluster, needs_slurm, slurm_cluster

pytestmark = [*needs_slurm, pytest.mark.slow]

CLUSTERS = {
    "PCS": ("slurm-trn1", SlurmCluster),
    "HyperPod": ("hyperpod-slurm-trn1", HyperPodCluster),
    "ParallelCluster": ("slurm-trn1", ParallelClusterCluster),
}
SCRIPT = "train_torchrun.sbatch"
TORCHRUN = '#!/bin/sh\necho "ranks $2 of $SLURM_NNODES nodes, cores ${NEURON_RT_VISIBLE_CORES-all}"\n'


@pytest.fixture(params=CLUSTERS)
def cluster(request: pytest.FixtureRequest) -> Iterator[SlurmCluster]:
    environment, kind = CLUSTERS[request.param]
    with slurm_cluster(environment, kind=kind, HealthCheckInterval="0") as made:
        made.write_program("python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        made.write_program("torchrun", TORCHRUN)
        if isinstance(made, HyperPodCluster):
            made.register_devices()
        yield made


def test_a_training_has_all_cores_of_its_nodes(cluster: SlurmCluster) -> None:
    script, log = cluster.installed / "jobs" / SCRIPT, cluster.folder / "log"
    assert script.read_bytes() == (SCRIPTS / "jobs" / SCRIPT).read_bytes()
    submitted = cluster.submit(
        *("--partition=training", "--nodes=2", f"--output={log}", str(script), "train.py"),
        NEURON_CLUSTER=str(cluster.installed),
        CHECKPOINT_DIRECTORY=str(cluster.folder / "run" / "checkpoints"),
    )
    job = cluster.ended(submitted)
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    assert job["JobState"] == "COMPLETED", text
    assert text.count("ranks --nproc_per_node=32 of 2 nodes, cores all\n") == 2, text
