from __future__ import annotations

from neuron_cluster.findings.text import quoted
from neuron_cluster.providers.hyperpod.groups import slurm_groups
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations

OF_HYPERPOD = "dev"


class GroupWithoutPartition(Rule):
    """Each group that runs jobs is in a partition of Slurm, which its queue names (`hyperpod.groups[].queue`).

    HyperPod has a partition of its own, dev, with all nodes.

    Without this check SageMaker rejects the cluster with a ValidationException, "Partitions can only be assigned to
    Compute node types" or the like, and the stack rolls back.
    """

    id = "E2252"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-getting-started-slurm-cli.html"
    proposes = ("queue",)

    def check(self, context: RuleContext) -> Violations:
        for group in slurm_groups(context.environment):
            if group.runs_jobs and group.queue is None:
                yield Violation(
                    (*group.path, "queue"),
                    f"{group.name} has no queue, and HyperPod has each compute group of Slurm in one partition",
                    "set queue: training, or another name of a partition",
                )
            elif group.queue == OF_HYPERPOD:
                yield Violation(
                    (*group.path, "queue"),
                    f"queue of {group.name} is {quoted(OF_HYPERPOD)}, the partition of HyperPod with all nodes",
                    "set queue: training, or another name of a partition",
                )
