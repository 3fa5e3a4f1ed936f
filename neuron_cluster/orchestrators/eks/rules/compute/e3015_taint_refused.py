"""Taints that Kubernetes refuses, or that are there twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import quoted
from neuron_cluster.kubernetes.names import NEURON
from neuron_cluster.orchestrators.eks.node_groups import EksNodeGroup, node_groups
from neuron_cluster.orchestrators.eks.qualified_name import syntax_problem
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment

NEURON_TAINT = (NEURON, "no_schedule")
"""Key and effect of the taint that every Neuron group gets by itself."""


class TaintRefused(ConfigRule):
    """Taints follow Kubernetes' syntax, and a node carries each key once per effect.

    Every Neuron group has the taint aws.amazon.com/neuron with the effect no_schedule already.

    Without this check EKS rejects the node group with InvalidParameterException, after the cluster has been built; or
    nodes start and the kubelet stops with "duplicated taints".
    """

    id = "E3015"
    source = (
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/; "
        "boto/botocore 1.44.5: eks taintKey, taintValue"
    )

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for group in node_groups(environment):
            yield from _refused(group, catalog)
            yield from _repeated(group)


def _refused(group: EksNodeGroup, catalog: Catalog) -> Iterator[Violation]:
    for position, taint in enumerate(group.spec.taints):
        path = (*group.path, "taints", position)
        if problem := syntax_problem(taint.key, catalog):
            yield Violation((*path, "key"), f"the taint key {quoted(taint.key)} {problem}", "rename the taint")
        if problem := catalog.limit("kubernetes_label_value").problem_with(taint.value):
            yield Violation((*path, "value"), f"the taint value {quoted(taint.value)} {problem}", "change the value")


def _repeated(group: EksNodeGroup) -> Iterator[Violation]:
    seen = {NEURON_TAINT: "every Neuron group has it already"} if group.is_neuron else {}
    for position, taint in enumerate(group.spec.taints):
        path = (*group.path, "taints", position)
        identity = (taint.key, taint.effect.value)
        if identity in seen:
            yield Violation(
                path,
                f"the taint {quoted(taint.key)} with {taint.effect.value} is there twice: {seen[identity]}",
                "remove it",
            )
        seen.setdefault(identity, f"taints[{position}] is the same")
