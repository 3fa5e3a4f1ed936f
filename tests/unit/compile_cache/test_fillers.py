"""Which workloads fill the compile cache of an environment."""

import pytest

from neuron_cluster.compile_cache.fillers import cache_fillers

CHART = "neuron-cluster workload submit compile-cache-warmer train"
JOB = "neuron-cluster workload submit warm-compile-cache train --run GRAPHS.json"


@pytest.mark.parametrize(
    ("sections", "commands"),
    [(("eks",), [CHART]), (("slurm",), [JOB]), (("eks", "slurm"), [CHART, JOB]), (("storage", "workstations"), [])],
)
def test_the_commands_fit_the_clusters_of_the_environment(sections: tuple[str, ...], commands: list[str]) -> None:
    assert [each.command("train") for each in cache_fillers(sections)] == commands
