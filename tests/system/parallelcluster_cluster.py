"""A Slurm cluster with the settings of a ParallelCluster configuration of `synth`: no Gres, no prologs."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.pcs.provider import PARALLELCLUSTER, SLURM
from neuron_cluster.toolkit_files import TEMPLATES

from .slurm_cluster import SlurmCluster


class ParallelClusterCluster(SlurmCluster):
    """Its nodes have the files of the toolkit, which W9434 asks the user to copy there."""

    @property
    def planned_settings(self) -> dict[str, str]:
        plan = check_environment(TEMPLATES / f"{self.plan.name}.yaml").require_plan()
        written = SLURM.export(PARALLELCLUSTER, plan, load_catalog()).files["cluster.yaml"]
        custom = yaml.safe_load(written)["Scheduling"]["SlurmSettings"]["CustomSlurmSettings"]
        return {name: str(value) for item in custom for name, value in item.items()}

    @property
    def node_settings(self) -> Mapping[str, str]:
        return {}

    def _own_settings(self, controller: int) -> dict[str, object]:
        found = super()._own_settings(controller)
        del found["GresTypes"]
        return found

    def _write_gres(self) -> None:
        """ParallelCluster writes records of GPUs of NVIDIA only."""
