"""A deploy neither replaces nor deletes an EKS cluster: everything that runs on it would be lost."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.commands import Command
from neuron_cluster.orchestrators.eks.changes.access import CLUSTER

TWO_STEPS = (
    f"undo the edit, or take two steps: 1. `{Command.DESTROY}`, which removes the cluster and keeps storage "
    "and network; 2. deploy the edited file"
)


class ClusterReplaced(Guard):
    """No edit replaces the EKS cluster.

    Everything that runs on it would be lost: EKS fixes name, service CIDR and secrets encryption at creation.
    """

    id = "E9003"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-eks-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.replaced:
            if comparison.type_of(address) == CLUSTER:
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} would be replaced with everything that runs on it, because "
                    f"{why_replaced(comparison, address)}",
                    TWO_STEPS,
                )


class ClusterRemoved(Guard):
    """A deploy deletes no EKS cluster (`eks` stays in the file).

    `destroy` deletes it, and lists what it keeps.
    """

    id = "E9004"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.removed:
            if comparison.type_of(address) == CLUSTER:
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} is no longer in the file, but a deploy does not delete clusters",
                    TWO_STEPS,
                )
