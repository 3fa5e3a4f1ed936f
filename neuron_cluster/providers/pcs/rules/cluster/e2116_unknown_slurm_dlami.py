"""Kinds of DLAMI that are not in the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class UnknownSlurmDlami(ConfigRule):
    """The Deep Learning AMI that the AMI was built from is in the catalog (`slurm.dlami`).

    The catalog has its root device, operating system and Neuron driver.

    Without this check EC2 rejects the launch template, whose root volume has another name in the AMI.
    """

    id = "E2116"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        slurm = environment.config.section(Slurm)
        if slurm is None or catalog.dlami(slurm.dlami) is not None:
            return
        yield Violation(
            ("slurm", "dlami"),
            f"dlami is {slurm.dlami}, which is not in the catalog",
            f"{did_you_mean(catalog.similar_dlamis(slurm.dlami))}`neuron-cluster catalog dlamis` lists all kinds",
        )
