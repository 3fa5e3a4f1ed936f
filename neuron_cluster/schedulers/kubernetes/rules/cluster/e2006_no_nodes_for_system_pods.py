from __future__ import annotations

import itertools
from collections.abc import Sequence

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup, node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in

NODES = 2
"""CoreDNS runs two replicas; with two nodes one can be replaced while the other serves DNS."""
SOFT = "prefer_no_schedule"
"""The effect of a taint that excludes no pod."""


class NoNodesForSystemPods(Rule):
    """Two nodes without Neuron devices and taints exist for system pods, one of them always (`eks.node_groups`).

    Neuron groups always have a taint. Taints with ``prefer_no_schedule`` do not exclude pods. Groups of HyperPod do not
    count: their nodes are created after the software.

    Without this check CoreDNS cannot be scheduled. Its add-on remains DEGRADED ("InsufficientNumberOfReplicas"),
    CloudFormation times out after 20 minutes, and the software stack rolls back. With a single node, each replacement
    of it interrupts DNS for all pods.
    """

    id = "E2006"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/managing-coredns.html"
    proposes = ("count", "desired", "min")
    references = ("awslabs/cdk-eks-blueprints#508",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        every = node_groups(context.environment)
        groups = [group for group in every if group.provider == cluster.path[0]]
        if any(group.instance_type is None for group in groups):  # rule E3001: it may be a system group
            return
        open_groups = [group for group in groups if _is_open(group, context.catalog)]
        desired = sum(group.spec.count.desired for group in open_groups)
        if desired >= NODES and any(group.spec.count.min for group in open_groups):
            return
        found = f"they have desired {desired} and min {sum(group.spec.count.min for group in open_groups)}"
        yield Violation(
            (*cluster.path, "node_groups"),
            "system pods require node groups without Neuron devices and taints, with desired 2 and min 1 in total; "
            + (found if open_groups else "there is no such group"),
            f"add a group such as {{name: {_free_name(every)}, instance_type: {_suggested_type(context.catalog)}, "
            "count: {min: 2, desired: 2, max: 3}}"
            if not open_groups
            else f"set count of {open_groups[0].name}: {_enough(open_groups[0])}, or more",
        )


def _enough(group: KubernetesNodeGroup) -> str:
    """The smallest sufficient count of this group; numbers of the file that are sufficient stay."""
    count = group.spec.count
    return f"{{min: {max(1, count.min)}, desired: {max(NODES, count.desired)}, max: {max(NODES, count.max)}}}"


def _suggested_type(catalog: Catalog) -> str:
    return next(row.name for row in catalog.instance_types if row.suggested_for_system_pods)


def _free_name(groups: Sequence[KubernetesNodeGroup]) -> str:
    taken = {node_group.name for node_group in groups}
    numbered = (f"system-{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain(["system"], numbered) if name not in taken)


def _is_open(node_group: KubernetesNodeGroup, catalog: Catalog) -> bool:
    lasting = (taint for taint in node_group.taints if taint.key not in catalog.startup_taints)
    return not node_group.is_neuron and all(taint.effect == SOFT for taint in lasting)
