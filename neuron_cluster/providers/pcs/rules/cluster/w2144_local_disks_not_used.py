from __future__ import annotations

from neuron_cluster.findings.text import counted
from neuron_cluster.providers.pcs.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LocalDisksNotUsed(Rule):
    """The file states that NVMe disks of Slurm nodes are not used (`slurm.groups[].local_disks: none`).

    No Deep Learning AMI makes a file system of them, and the start script of the toolkit neither: scratch files of jobs
    are on the root volume. An AMI of yours may mount them. Only a warning.

    Without this check AWS reports nothing: the disks are there, without a file system, and are paid with the instance.
    """

    id = "W2144"
    source = "aws-neuron/aws-neuron-sdk@81ce03a:deploy/environments/dlami.rst (no page mentions instance store)"
    proposes = ("local_disks",)

    def check(self, context: RuleContext) -> Violations:
        for group in slurm_groups(context.environment):
            row = group.instance_type
            if row is not None and row.local_disk_count and group.spec.local_disks is None:
                yield Violation(
                    (*group.path, "instance_type"),
                    f"{row.name} has {counted(row.local_disk_count, 'NVMe disk')}, which Slurm nodes do not use",
                    "set local_disks: none, and mount them in an AMI of yours if jobs need them",
                )
