"""An update of the AMI ends the pods of nodes that run: HyperPod does not drain them."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.findings.text import listed
from neuron_cluster.providers.hyperpod.changes.group_state import NAME, GroupState, groups_in
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER
from neuron_cluster.providers.hyperpod.changes.source import RELEASE


class SoftwareUpdateWithoutDrain(Guard):
    """An edit of `ami_release` ends no pod unnoticed (`hyperpod.groups[].ami_release`).

    The update replaces the root volumes of all nodes of a group, and HyperPod drains none of them before.
    """

    id = "W9083"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/"
        "sagemaker-hyperpod-eks-operate-cli-command-update-cluster-software.html"
    )
    key = ("hyperpod", "groups")

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.updated:
            if comparison.type_of(address) != CLUSTER:
                continue
            before, after = (groups_in(stacks.properties(address)) for stacks in (comparison.before, comparison.after))
            names = [name for name, group in after.items() if name in before and _is_updated(before[name], group)]
            if names:
                yield Violation(
                    address,
                    f"another AMI release replaces the root volumes of the nodes of {listed(names)} without a drain: "
                    "their pods end",
                    "cordon and drain the nodes before, or deploy while no job runs there",
                )


def _is_updated(before: GroupState, after: GroupState) -> bool:
    release = after.properties.get(RELEASE)
    same = before.properties[NAME] == after.properties[NAME]
    return same and before.desired > 0 and release is not None and release != before.properties.get(RELEASE)
