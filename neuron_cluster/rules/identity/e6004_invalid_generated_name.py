"""Generated names that break service naming limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import PlanRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.plan.cluster_plan import ClusterPlan


class InvalidGeneratedName(PlanRule):
    """Every generated name of a stack, cluster or node group meets the naming limits of its service (`name`).

    Names are generated from those of the file: train-trn1 becomes the stack train-trn1-network, the group trn1 becomes
    trn1-1f3a9c04.

    Without this check the service rejects the name with ValidationError or InvalidParameterException; for node groups,
    after the cluster has been created.
    """

    id = "E6004"
    source = (
        "boto/botocore 1.44.5: cloudformation StackName, eks ClusterName; "
        "https://docs.aws.amazon.com/eks/latest/userguide/create-managed-node-group.html"
    )

    def check(self, plan: ClusterPlan, catalog: Catalog) -> Iterator[Violation]:
        for path, what, name, limit in _final_names(plan):
            if problem := catalog.limit(limit).problem_with(name):
                yield Violation(path, f"{what} would be named {name}, which {problem}", "choose a shorter name")


def _final_names(plan: ClusterPlan) -> Iterator[tuple[KeyPath, str, str, str]]:
    """Path of the name in the file, the resource, the generated name, and the limit that applies."""
    longest = max((plan.stack_name(part) for part in plan.stacks), key=len)
    yield ("name",), "a stack", longest, "cloudformation_stack_name"
    if plan.kubernetes is None:
        return
    yield ("name",), "the cluster", plan.kubernetes.name, "eks_cluster_name"
    for group in plan.kubernetes.node_groups:
        path = (*group.path, "name")
        yield path, f"the node group {group.name}", group.physical_name, "eks_node_group_name"
        for key, value in group.labels.items():
            yield path, f"the label {key}", value, "kubernetes_label_value"
