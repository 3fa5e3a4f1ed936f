from __future__ import annotations

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownSlurmDlami(Rule):
    """The Deep Learning AMI that the AMI was built from is in the catalog (`slurm.dlami`).

    The catalog has its root device, operating system and Neuron driver.

    Without this check EC2 rejects the launch template, whose root volume has another name in the AMI.
    """

    id = "E2116"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        slurm = context.environment.config.section(Slurm)
        if slurm is None or catalog.dlamis.get(slurm.dlami) is not None:
            return
        yield Violation(
            ("slurm", "dlami"),
            f"dlami is {slurm.dlami}, which is not in the catalog",
            f"{did_you_mean(catalog.dlamis.similar(slurm.dlami))}`neuron-cluster catalog dlamis` lists all kinds",
        )
