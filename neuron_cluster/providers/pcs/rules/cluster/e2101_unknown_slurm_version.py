from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class UnknownSlurmVersion(Rule):
    """PCS runs the Slurm version (`slurm.version`).

    Without this check PCS rejects the cluster with a ValidationException, and the stack rolls back.
    """

    id = "E2101"
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-versions.html"

    def check(self, context: RuleContext) -> Violations:
        slurm = context.environment.config.section(Slurm)
        if slurm is None or context.catalog.slurm_versions.get(slurm.version) is not None:
            return
        names = [row.name for row in context.catalog.slurm_versions]
        yield Violation(
            ("slurm", "version"),
            f"version is {slurm.version}, which is not in the catalog; its versions are {listed(names)}",
            f"set version: {listed(names, 'or')}",
        )
