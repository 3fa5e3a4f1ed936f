"""A deploy replaces no Slurm controller, and scripts of nodes that run stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.commands import Command
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.changes.group_state import NAME, GroupState, groups_in
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER

CONTROLLER = "Controller"


class SlurmControllerReplaced(Guard):
    """No edit replaces the controller of a HyperPod cluster with Slurm (`hyperpod.slurm.controller`).

    SageMaker fixes the instance type of a group, and a cluster has one controller: it rejects a second one, and the
    stack rolls back. Jobs that wait, and the database of accounting, are on the controller.
    """

    id = "E9088"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-slurm-api-config-migration.html"
    key = ("hyperpod", "slurm", "controller")

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address, before, after in _pairs(comparison):
            if before.node_type == CONTROLLER and before.properties[NAME] != after.properties[NAME]:
                yield Violation(
                    address,
                    f"the controller would be replaced: {before.description} by {after.description}",
                    f"undo the edit; or take two steps: 1. `{Command.DESTROY}`, which keeps storage and network; "
                    "2. deploy the edited file",
                )


class SlurmScriptsChanged(Guard):
    """Nodes of a HyperPod cluster with Slurm are set up as in the file (`hyperpod.slurm`).

    HyperPod runs the script of a group on new nodes only. Nodes that run keep their users, settings and job scripts
    until they are replaced.
    """

    id = "W9089"
    source = "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-lifecycle-best-practices-slurm.html"
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        changed: dict[Address, list[str]] = {}
        for address, before, after in _pairs(comparison):
            is_kept = before.node_type and before.properties[NAME] == after.properties[NAME]
            if is_kept and before.desired and before.script != after.script:
                changed.setdefault(address, []).append(before.name)
        for address, names in changed.items():
            yield Violation(
                address,
                f"the script of {listed(names)} changes, and HyperPod runs it on new nodes only: nodes that run keep "
                "users, settings and job scripts",
                "after the deploy replace the nodes one after the other, when their jobs have ended: "
                "`neuron-cluster node replace NAME ID`",
            )


def _pairs(comparison: Comparison) -> Iterator[tuple[Address, GroupState, GroupState]]:
    """Groups of clusters that stay, before and after."""
    for address in sorted(comparison.updated):
        if comparison.type_of(address) == CLUSTER:
            before, after = (_groups(stacks, address) for stacks in (comparison.before, comparison.after))
            yield from ((address, before[name], after[name]) for name in before if name in after)


def _groups(stacks: StackSet, address: Address) -> dict[str, GroupState]:
    return groups_in(stacks.properties(address)) if address in stacks.addresses() else {}
