"""Which workloads fill the compile cache of an environment."""

import pytest

from neuron_cluster.compile_cache.fillers import cache_fillers
from neuron_cluster.protocol.scheduler import Scheduler
from neuron_cluster.schedulers.kubernetes.scheduler import KUBERNETES
from neuron_cluster.schedulers.slurm.scheduler import SLURM_SCHEDULER

CHART = "neuron-cluster workload submit compile-cache-warmer train"
JOB = "neuron-cluster workload submit warm-compile-cache train --run GRAPHS.json"


@pytest.mark.parametrize(
    ("schedulers", "commands"),
    [
        ((KUBERNETES,), [CHART]),
        ((SLURM_SCHEDULER,), [JOB]),
        ((KUBERNETES, SLURM_SCHEDULER), [CHART, JOB]),
        ((), []),
    ],
)
def test_the_commands_fit_the_clusters_of_the_environment(
    schedulers: tuple[Scheduler, ...], commands: list[str]
) -> None:
    assert [each.command("train") for each in cache_fillers(schedulers)] == commands
