"""Settings that the life cycle script of a HyperPod controller adds, under the real slurmctld."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .hyperpod_cluster import HyperPodCluster
from .slurm_cluster import eventually, needs_slurm, slurm_cluster

pytestmark = [*needs_slurm, pytest.mark.slow]


@pytest.fixture(scope="module")
def cluster() -> Iterator[HyperPodCluster]:
    with slurm_cluster("hyperpod-slurm-trn1", kind=HyperPodCluster, HealthCheckInterval="0") as made:
        yield made


def settings_of(cluster: HyperPodCluster) -> dict[str, str]:
    lines = (line.partition("=") for line in cluster.run("scontrol", "show", "config").splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}


def test_nodes_have_devices_once_they_have_announced_them(cluster: HyperPodCluster) -> None:
    cluster.run_settings()
    found = settings_of(cluster)
    assert found["Prolog"] == f"{cluster.installed}/slurm/prolog.sh"
    assert {"permit_job_expansion", "nohold_on_prolog_fail"} <= {*found["SchedulerParameters"].split(",")}
    assert "Gres=(null)" in cluster.run("scontrol", "show", "node", cluster.nodes[0])
    cluster.register_devices()


def test_settings_that_are_written_change_nothing(cluster: HyperPodCluster) -> None:
    files = [cluster.folder / name for name in ("slurm.conf", "gres.conf")]
    before = [(file.read_text(), file.stat().st_ino) for file in files]
    cluster.run_settings()
    assert [(file.read_text(), file.stat().st_ino) for file in files] == before


def test_a_job_has_the_devices_that_it_requests(cluster: HyperPodCluster) -> None:
    chip = cluster.gres.chip
    said = cluster.run("srun", "--partition=training", f"--gpus-per-node={chip}:2", "printenv", "SLURM_STEP_GPUS")
    assert said.strip() == "0,1"


def test_devices_come_back_after_hyperpod_has_written_the_nodes(cluster: HyperPodCluster) -> None:
    cluster.write_nodes_again()
    eventually(lambda: cluster.run("scontrol", "show", "node", cluster.nodes[0]), lambda shown: "Gres=(null)" in shown)
    cluster.register_devices()
    requested = f"--gpus-per-node={cluster.gres.requested.removeprefix('gpu:')}"
    assert cluster.run("srun", "--partition=training", requested, "printenv", "SLURM_GPUS_ON_NODE").strip() == "16"
