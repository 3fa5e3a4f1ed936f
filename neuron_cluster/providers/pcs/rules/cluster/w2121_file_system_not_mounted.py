from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class FileSystemNotMounted(Rule):
    """Nodes of PCS mount the file systems of the environment (`storage`).

    They mount `lustre` on /fsx and the access points of `efs` below /efs, but not `s3_files`. Only a warning.

    Without this check jobs write to the root volume of their node, which is deleted with it.
    """

    id = "W2121"
    source = "the design of this toolkit: docs/slurm.md"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if context.environment.config.section(Slurm) is None or storage is None or storage.s3_files is None:
            return
        yield Violation(
            ("storage", "s3_files"),
            "nodes of slurm do not mount s3_files",
            "remove s3_files if Slurm jobs alone use it: they reach its objects with the AWS CLI",
        )
