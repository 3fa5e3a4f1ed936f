"""PodDisruptionBudgets that allow no eviction of a workload: a drain of its node does not end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.kubernetes.fields import at, text, whole_number
from neuron_cluster.kubernetes.names import DEFAULT_NAMESPACE
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.pod_templates import PodTemplate, pod_templates
from neuron_cluster.kubernetes.scheduling.pod_reader import replicas_of
from neuron_cluster.kubernetes.selectors import selects

ALLOWS_NO_EVICTION = "W9313"
BUDGET = "PodDisruptionBudget"


def disruption_budget_findings(manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> Iterator[Finding]:
    """W9313, for each budget of a user that leaves no pod to evict while all are healthy."""
    owners = [_owner(body) for _, objects in manifests for body in objects]
    pods = [template for owner in owners for template in pod_templates(owner)]
    for source, objects in manifests:
        for budget in (_owner(body) for body in objects if body.get("kind") == BUDGET):
            selector = at(budget.body, "spec", "selector")
            selected = [pod for pod in pods if pod.owner.namespace == budget.namespace and selects(selector, pod)]
            if words := _blocking_budget(budget, selected):
                yield Finding(ALLOWS_NO_EVICTION, Location(source, path=budget.place), *words)


def _owner(body: Mapping[str, Any]) -> KubernetesObject:
    return KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)


def _blocking_budget(budget: KubernetesObject, selected: Sequence[PodTemplate]) -> tuple[str, str] | None:
    """Message and hint; None where a pod may be evicted, or their number is not known."""
    counts = [replicas_of(pod) for pod in selected]
    if not counts or None in counts:
        return None
    pods = sum(count for count in counts if count is not None)
    key = "maxUnavailable" if at(budget.body, "spec", "maxUnavailable") is not None else "minAvailable"
    given = at(budget.body, "spec", key)
    amount = _amount(given, pods)
    if amount is None or not pods or (amount if key == "maxUnavailable" else pods - amount) > 0:
        return None
    owners = dict.fromkeys(f"{pod.owner.kind} {pod.owner.name}" for pod in selected)
    number = "1 pod" if pods == 1 else f"{pods} pods"
    of = f"{' and '.join(owners)} {'has' if len(owners) == 1 else 'have'} {number}"
    message = (
        f"{BUDGET} {budget.namespace}/{budget.name} has {key} {given}, and {of}: it "
        "allows no eviction. An update of the node group evicts for 15 minutes, and ends with PodEvictionFailure"
    )
    return message, "set maxUnavailable: 1 in place of it, which lets a drain stop one pod at a time, or add replicas"


def _amount(given: Any, pods: int) -> int | None:
    """Pods, of a number or a percentage, which Kubernetes rounds up.

    Source: https://kubernetes.io/docs/tasks/run-application/configure-pdb/.
    """
    if isinstance(given, str) and given.endswith("%"):
        percent = whole_number(given[:-1])
        return math.ceil(pods * percent / 100) if percent is not None else None
    return whole_number(given)
