"""PodDisruptionBudgets that allow no eviction of a workload: a drain of its node does not end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.disruption_budget import (
    BARE,
    SCALED,
    BudgetLimit,
    evictions_allowed,
    given_limits,
    read_limit,
)
from local_kubernetes.model.fields import at, text, whole_number
from local_kubernetes.model.names import DEFAULT_NAMESPACE
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from local_kubernetes.model.scheduling.pod_reader import replicas_of
from local_kubernetes.model.selectors import selects
from neuron_cluster.findings.finding import Finding, Location

ALLOWS_NO_EVICTION = "W9313"
BUDGET, DAEMON_SET = "PodDisruptionBudget", "DaemonSet"
MINIMUM = {"HorizontalPodAutoscaler": ("minReplicas", 1), "ScaledObject": ("minReplicaCount", 0)}
"""The field with the least number of replicas, and its default: the references of the Kubernetes API and of KEDA."""
UPDATE = "An update of the node group evicts for 15 minutes, and ends with PodEvictionFailure"


class BudgetedPods(Struct, frozen=True):
    """The pods of one template. ``count`` is None where it is not known; ``minimum`` is the autoscaler's key of it."""

    template: PodTemplate
    count: int | None
    minimum: str = ""

    @property
    def owner(self) -> str:
        return f"{self.template.owner.kind} {self.template.owner.name}"

    @property
    def is_drained(self) -> bool:
        """Whether a drain evicts them: it leaves the pods of a DaemonSet."""
        return self.template.owner.kind != DAEMON_SET

    @property
    def has_scale(self) -> bool:
        return self.template.owner.kind in SCALED


class Budget(Struct, frozen=True):
    """A PodDisruptionBudget that the API server accepts, and the pods that it selects."""

    source: str
    obj: KubernetesObject
    limit: BudgetLimit | None
    pods: tuple[BudgetedPods, ...]

    @property
    def name(self) -> str:
        return f"{BUDGET} {self.obj.namespace}/{self.obj.name}"

    def finding(self, message: str, hint: str) -> Finding:
        return Finding(ALLOWS_NO_EVICTION, Location(self.source, path=self.obj.place), f"{message}. {UPDATE}", hint)


def disruption_budget_findings(manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]]) -> Iterator[Finding]:
    """W9313, for each budget of a user that leaves no pod to evict while all are healthy, and for pods with two."""
    owners = [_owner(body) for _, objects in manifests for body in objects]
    pods = [_budgeted(template, owners) for owner in owners for template in pod_templates(owner)]
    budgets = [
        budget
        for source, objects in manifests
        for body in objects
        if body.get("kind") == BUDGET and (budget := _budget(source, _owner(body), pods))
    ]
    for position, budget in enumerate(budgets):
        if any(pods.is_drained for pods in budget.pods) and _allowed(budget) == 0:
            yield budget.finding(_message(budget), _hint(budget))
        for other in budgets[:position]:
            if both := [pods.owner for pods in budget.pods if pods.is_drained and _overlap((budget, other), pods)]:
                message = (
                    f"{budget.name} and {other.name} select pods of {_and(both)}: the eviction API answers 500 for a "
                    "pod with more than one budget"
                )
                yield budget.finding(message, "delete one of the two, or narrow its selector to other pods")


def _owner(body: Mapping[str, Any]) -> KubernetesObject:
    return KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)


def _budgeted(template: PodTemplate, owners: Iterable[KubernetesObject]) -> BudgetedPods:
    """The pods of a template, with the least number of replicas that an autoscaler keeps."""
    owner, minimum = template.owner, ""
    for scaler in owners:
        target = at(scaler.body, "spec", "scaleTargetRef")
        named = (scaler.namespace, at(target, "kind") or "Deployment", at(target, "name"))
        if scaler.kind in MINIMUM and named == (owner.namespace, owner.kind, owner.name):
            key, default = MINIMUM[scaler.kind]
            given = whole_number(at(scaler.body, "spec", key))
            spec = {**at(owner.body, "spec"), "replicas": max(default if given is None else given, 1)}
            owner, minimum = (
                KubernetesObject({**owner.body, "spec": spec}, owner.namespace),
                f"{key} of {scaler.kind} {scaler.name}",
            )
    try:
        return BudgetedPods(template, replicas_of(PodTemplate(owner, template.path, template.body)), minimum)
    except ValueError:
        return BudgetedPods(template, None)


def _budget(source: str, obj: KubernetesObject, pods: Iterable[BudgetedPods]) -> Budget | None:
    """A budget and its pods; None where rule E8836 rejects its fields. A budget without a selector selects no pods."""
    selector, given = at(obj.body, "spec", "selector"), given_limits(obj.body)
    limits = [read_limit(key, value) for key, value in given.items()]
    if len(limits) > 1 or None in limits or not isinstance(selector, Mapping):
        return None
    here = (each for each in pods if each.template.owner.namespace == obj.namespace and each.count != 0)
    return Budget(
        source, obj, next(iter(limits), None), tuple(each for each in here if selects(selector, each.template))
    )


def _overlap(budgets: Iterable[Budget], pods: BudgetedPods) -> bool:
    """Whether each budget selects the pods by labels of their template, without those that a controller adds."""
    without_owner = PodTemplate(KubernetesObject({}, ""), "", pods.template.body)
    return all(pods in each.pods and selects(at(each.obj.body, "spec", "selector"), without_owner) for each in budgets)


def _allowed(budget: Budget) -> int | None:
    return evictions_allowed(budget.limit, [(pods.template.owner.kind, pods.count) for pods in budget.pods])


def _message(budget: Budget) -> str:
    limit, owners = budget.limit, dict.fromkeys(pods.owner for pods in budget.pods)
    if limit is None:
        return f"{budget.name} has neither minAvailable nor maxUnavailable: it allows no eviction of {_and(owners)}"
    unscaled = dict.fromkeys(pods.owner for pods in budget.pods if not pods.has_scale)
    if limit.needs_scale and unscaled:
        condition = " (SyncFailed)" if any(pods.template.owner.kind != BARE for pods in budget.pods) else ""
        return (
            f"{budget.name} has {limit.key} {limit.text} and selects pods of {_and(owners)}, but {_and(unscaled)} "
            f"{'has' if len(unscaled) == 1 else 'have'} no scale subresource{condition}: it allows no eviction"
        )
    total = sum(pods.count or 0 for pods in budget.pods)
    has = f"{_and(owners)} {'has' if len(owners) == 1 else 'have'} {total} pod{'s' * (total > 1)}"
    if keys := dict.fromkeys(pods.minimum for pods in budget.pods if pods.minimum):
        has += f" at {_and(keys)}"
    return f"{budget.name} has {limit.key} {limit.text}, and {has}: it allows no eviction"


def _hint(budget: Budget) -> str:
    """A limit with which the budget allows an eviction; only an integer minAvailable does for pods without a scale."""
    limit, drained = budget.limit, [pods for pods in budget.pods if pods.is_drained]
    instead = " in place of it" if limit else ""
    if not all(pods.has_scale for pods in drained):
        total = sum(pods.count or 0 for pods in drained)
        if total > 1:
            return f"set minAvailable: {total - 1}{instead} (an integer needs no scale), or delete {budget.name}"
        return f"delete {budget.name}: with 1 pod, a budget blocks each drain or has no effect"
    hint = f"set maxUnavailable: 1{instead}, which lets a drain stop one pod at a time"
    if daemon_sets := dict.fromkeys(pods.owner for pods in budget.pods if not pods.is_drained):
        return f"select no pods of {_and(daemon_sets)}, which a drain does not evict, and {hint}"
    if limit is None or limit.is_total:
        return hint
    keys = dict.fromkeys(pods.minimum for pods in drained if pods.minimum)
    return f"{hint}, or {f'raise {_and(keys)}' if keys else 'add replicas'}"


def _and(texts: Iterable[str]) -> str:
    return " and ".join(dict.fromkeys(texts))
