"""A deploy neither replaces nor deletes an EKS cluster: everything that runs on it would be lost."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.kept_clusters import removed_clusters, replaced_clusters
from neuron_cluster.providers.eks.changes.access import CLUSTER


class ClusterReplaced(Guard):
    """No edit replaces the EKS cluster.

    Everything that runs on it would be lost: EKS fixes name, service CIDR and secrets encryption at creation.
    """

    id = "E9003"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-eks-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        yield from replaced_clusters(comparison, CLUSTER, "everything that runs on it")


class ClusterRemoved(Guard):
    """A deploy deletes no EKS cluster (`eks` stays in the file).

    `destroy` deletes it, and lists what it keeps.
    """

    id = "E9004"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        yield from removed_clusters(comparison, CLUSTER)
