"""NetworkPolicies of a workload, and the nodes on which nothing enforces them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.names import GROUP_LABEL, INSTANCE_TYPE_LABEL
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from neuron_cluster.findings.finding import Finding
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding

POLICY = "NetworkPolicy"
OF_NODE_GROUPS = (GROUP_LABEL, INSTANCE_TYPE_LABEL)
"""Labels that keep pods off the nodes of an autoscaler: the first is set by this toolkit, and the bundled charts select
instance types of Neuron nodes, which the autoscaler does not start."""


def policy_findings(
    objects: Sequence[Mapping[str, Any]], *, autoscaler: str | None, chart: str, namespace: str
) -> Iterator[Finding]:
    """W9239 for each policy over pods that may start on nodes of the autoscaler; rule W5071 has the source."""
    owners = [KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace)) for body in objects]
    templates = [each for owner in owners if "test" not in owner.hooks for each in pod_templates(owner)]
    for policy in owners if autoscaler is not None else ():
        if policy.kind != POLICY:
            continue
        for template in templates:
            if _selects(policy, template) and not _is_on_a_node_group(template):
                pods = f"{template.owner.kind} {template.owner.name}"
                message = (
                    f"pods of {pods} may start on nodes of {autoscaler}, where the {POLICY} {policy.name} has no effect"
                )
                yield finding("W9239", chart, pods, message, f"set a node group for them (node label {GROUP_LABEL})")


def _selects(policy: KubernetesObject, template: PodTemplate) -> bool:
    """Returns whether the policy selects the pods, by ``matchLabels``; expressions count as met."""
    labels = value_at(policy.body, "spec.podSelector.matchLabels") or {}
    return policy.namespace == template.owner.namespace and template.matches(labels)


def _is_on_a_node_group(template: PodTemplate) -> bool:
    selector = value_at(template.spec or {}, "nodeSelector") or {}
    return any(label in selector for label in OF_NODE_GROUPS)
