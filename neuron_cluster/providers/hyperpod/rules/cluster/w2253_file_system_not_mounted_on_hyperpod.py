from __future__ import annotations

from neuron_cluster.providers.hyperpod.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class FileSystemNotMountedOnHyperpod(Rule):
    """HyperPod mounts the file systems of the environment on nodes with Slurm (`storage`).

    It mounts `lustre` on /fsx, but neither `efs` nor `s3_files`. Only a warning.

    Without this check jobs write to the root volume of their node, which is deleted with it.
    """

    id = "W2253"
    source = "boto/botocore 1.44.5: sagemaker ClusterInstanceStorageConfig"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or not slurm_groups(context.environment):
            return
        for key, given in (("efs", storage.efs), ("s3_files", storage.s3_files)):
            if given is not None:
                yield Violation(
                    ("storage", key),
                    f"nodes of HyperPod with Slurm do not mount {key}",
                    f"remove {key} if Slurm jobs alone use it, and write to /fsx (storage.lustre)",
                )
