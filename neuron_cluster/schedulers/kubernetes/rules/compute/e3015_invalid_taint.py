from __future__ import annotations

from local_kubernetes.model.names import NEURON
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import quoted
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.node_group import KubernetesNodeGroup, node_groups
from neuron_cluster.schedulers.kubernetes.qualified_name import syntax_problem

NEURON_TAINT = (NEURON, "no_schedule")
"""Key and effect of the taint that the toolkit adds to every Neuron group."""


class InvalidTaint(Rule):
    """Node group taints have valid Kubernetes keys and values, each key once per effect (`taints`).

    Every Neuron group already has the taint aws.amazon.com/neuron with the effect no_schedule.

    Without this check EKS rejects the node group with InvalidParameterException, after the cluster has been created;
    or nodes start and the kubelet fails with "duplicated taints".
    """

    id = "E3015"
    source = (
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/; "
        "boto/botocore 1.44.5: eks taintKey, taintValue"
    )

    def check(self, context: RuleContext) -> Violations:
        for group in node_groups(context.environment):
            yield from _invalid(group, context.catalog)
            yield from _repeated(group)


def _invalid(group: KubernetesNodeGroup, catalog: Catalog) -> Violations:
    for position, taint in enumerate(group.taints):
        path = (*group.path, "taints", position)
        if problem := syntax_problem(taint.key, group, catalog):
            yield Violation((*path, "key"), f"the taint key {quoted(taint.key)} {problem}", "rename the taint")
        if problem := catalog.limits["kubernetes_label_value"].problem_with(taint.value):
            yield Violation((*path, "value"), f"the taint value {quoted(taint.value)} {problem}", "change the value")


def _repeated(group: KubernetesNodeGroup) -> Violations:
    seen = {NEURON_TAINT: "every Neuron group already has it"} if group.has_neuron_taint else {}
    for position, taint in enumerate(group.taints):
        path = (*group.path, "taints", position)
        identity = (taint.key, str(taint.effect))
        if identity in seen:
            yield Violation(
                path,
                f"the taint {quoted(taint.key)} with {taint.effect} is set twice: {seen[identity]}",
                "remove it",
            )
        seen.setdefault(identity, f"taints[{position}] is the same")
