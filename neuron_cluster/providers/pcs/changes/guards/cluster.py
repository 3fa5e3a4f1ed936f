"""A deploy neither replaces nor deletes a PCS cluster: its jobs and accounting records would be lost."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.kept_clusters import removed_clusters, replaced_clusters
from neuron_cluster.providers.pcs.changes.resource_kinds import CLUSTER


class SlurmClusterReplaced(Guard):
    """No edit replaces the PCS cluster (`slurm.size`).

    PCS fixes name, size, subnet and security group at creation. Jobs that run and wait, and the records of accounting,
    would be lost. Without `slurm.size` the size follows from the sum of `count.max`: a larger sum is another size.
    """

    id = "E9061"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-pcs-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        yield from replaced_clusters(comparison, CLUSTER, "its jobs and accounting records")


class SlurmClusterRemoved(Guard):
    """A deploy deletes no PCS cluster (`slurm` stays in the file).

    `destroy` deletes it, and lists what it keeps.
    """

    id = "E9062"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        yield from removed_clusters(comparison, CLUSTER)
