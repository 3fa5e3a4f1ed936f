"""A deploy neither replaces nor deletes a HyperPod cluster."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.kept_clusters import removed_clusters, replaced_clusters
from neuron_cluster.findings.commands import Command
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER

WAY = (
    f"undo the edit, or take two steps: 1. `{Command.DESTROY}`, which deletes the EKS cluster too, with everything in "
    "Kubernetes, and keeps storage and network; 2. deploy the edited file"
)


class HyperPodClusterReplaced(Guard):
    """No edit replaces the HyperPod cluster (`hyperpod`).

    HyperPod fixes name, VPC and EKS cluster at creation. All its nodes would end, and the new cluster cannot have the
    name before the old one is gone.
    """

    id = "E9081"
    source = (
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sagemaker-cluster.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        yield from replaced_clusters(comparison, CLUSTER, "all its nodes and their pods", WAY)


class HyperPodClusterRemoved(Guard):
    """A deploy deletes no HyperPod cluster (`hyperpod` stays in the file).

    `destroy` deletes it, and lists what it keeps.
    """

    id = "E9082"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        yield from removed_clusters(comparison, CLUSTER, WAY)
