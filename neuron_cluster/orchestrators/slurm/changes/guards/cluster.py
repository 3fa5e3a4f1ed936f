"""A deploy neither replaces nor deletes a PCS cluster: its jobs and accounting records would be lost."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.findings.commands import Command
from neuron_cluster.orchestrators.slurm.changes.resource_kinds import CLUSTER

TWO_STEPS = (
    f"undo the edit, or take two steps: 1. `{Command.DESTROY}`, which removes the cluster and keeps storage "
    "and network; 2. deploy the edited file"
)


class SlurmClusterReplaced(Guard):
    """No edit replaces the PCS cluster (`slurm.size`).

    PCS fixes name, size, subnet and security group at creation. Jobs that run and wait, and the records of accounting,
    would be lost. Without `slurm.size` the size follows from the sum of `count.max`: a larger sum is another size.
    """

    id = "E9061"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-pcs-cluster.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.replaced:
            if comparison.type_of(address) == CLUSTER:
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} would be replaced with its jobs and accounting records, because "
                    f"{why_replaced(comparison, address)}",
                    TWO_STEPS,
                )


class SlurmClusterRemoved(Guard):
    """A deploy deletes no PCS cluster (`slurm` stays in the file).

    `destroy` deletes it, and lists what it keeps.
    """

    id = "E9062"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.removed:
            if comparison.type_of(address) == CLUSTER:
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} is no longer in the file, but a deploy does not delete clusters",
                    TWO_STEPS,
                )
