"""Nodes for CoreDNS and the controllers of the add-ons."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.orchestrators.eks.config.node_group import TaintEffect
from neuron_cluster.orchestrators.eks.node_groups import EksNodeGroup, node_groups
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.orchestrators.eks.config.node_group import NodeGroup
    from neuron_cluster.resolved.environment import ResolvedEnvironment

NODES = 2
"""CoreDNS runs two replicas; with two nodes one can be replaced while the other answers."""


class SystemPodsHaveNowhereToRun(ConfigRule):
    """Two nodes without Neuron devices and without taints are there for system pods, and one always stays.

    Neuron groups are always tainted. Taints with ``prefer_no_schedule`` keep nothing away.

    Without this check CoreDNS finds no node. Its add-on stays DEGRADED ("InsufficientNumberOfReplicas"),
    CloudFormation gives up after 20 minutes, and the software stack rolls back. With a single node, every replacement
    of it takes name resolution away from all pods.
    """

    id = "E2006"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/managing-coredns.html"
    proposes = ("desired", "min")
    references = ("awslabs/cdk-eks-blueprints#508",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        eks = environment.config.section(Eks)
        if eks is None:
            return
        groups = list(node_groups(environment))
        if any(group.instance_type is None for group in groups):  # rule E3001: it may be a system group
            return
        open_groups = [group.spec for group in groups if _is_open(group)]
        desired = sum(group.count.desired for group in open_groups)
        if desired >= NODES and any(group.count.min for group in open_groups):
            return
        found = f"they have {desired} desired and {sum(group.count.min for group in open_groups)} at least"
        yield Violation(
            ("eks", "node_groups"),
            "system pods need groups without Neuron devices and without taints, with 2 nodes desired and 1 at least; "
            + (found if open_groups else "there is no such group"),
            f"add a group such as {{name: {_free_name(groups)}, instance_type: {_suggested_type(catalog)}, "
            "count: {min: 2, desired: 2, max: 3}}"
            if not open_groups
            else f"set count of {open_groups[0].name}: {_enough(open_groups[0])}, or more",
        )


def _enough(group: NodeGroup) -> str:
    """The least count of this group that is enough by itself, with the numbers of the file that already are."""
    count = group.count
    return f"{{min: {max(1, count.min)}, desired: {max(NODES, count.desired)}, max: {max(NODES, count.max)}}}"


def _suggested_type(catalog: Catalog) -> str:
    return next(row.name for row in catalog.instance_types if row.suggested_for_system_pods)


def _free_name(groups: list[EksNodeGroup]) -> str:
    taken = {node_group.name for node_group in groups}
    numbered = (f"system-{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain(["system"], numbered) if name not in taken)


def _is_open(node_group: EksNodeGroup) -> bool:
    soft = TaintEffect.PREFER_NO_SCHEDULE
    return not node_group.is_neuron and all(taint.effect is soft for taint in node_group.spec.taints)
