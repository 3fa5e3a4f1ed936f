from __future__ import annotations

from local_kubernetes.model.fields import at
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.release import Release
from local_kubernetes.model.selectors import describe, describe_pod_labels, selects
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either

SELECTING = ("PodDisruptionBudget", "NetworkPolicy")
SCALED = ("Deployment", "StatefulSet", "ReplicaSet", "LeaderWorkerSet")
FIELD = {"PodDisruptionBudget": "selector", "NetworkPolicy": "podSelector"}


class MissingTargetWorkload(ManifestRule):
    """Autoscalers reference a workload of their release (`scaleTargetRef`); budgets and policies select its pods."""

    id = "E8845"
    source = (
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/; "
        "https://kubernetes.io/docs/tasks/run-application/configure-pdb/; "
        "https://keda.sh/docs/latest/reference/scaledobject-spec/#scaletargetref"
    )
    kinds = ("HorizontalPodAutoscaler", "ScaledObject", *SELECTING)

    def check(self, context: ManifestContext) -> Violations:
        if context.object.kind in SELECTING:
            yield from _selects_nothing(context.object, context.release)
            return
        target = at(context.object.body, "spec", "scaleTargetRef")
        kind = at(target, "kind") or "Deployment"
        found = context.release.find(kind, context.object.namespace, at(target, "name"))
        version = at(target, "apiVersion")
        if found is None:
            yield Violation(
                "spec.scaleTargetRef.name",
                f"the release has no {kind} {at(target, 'name')!r}",
                _hint(context.object.namespace, context.release),
            )
        elif version is not None and version != found.body["apiVersion"]:
            yield Violation(
                "spec.scaleTargetRef.apiVersion",
                f"is {version}, but {found.place} has {found.body['apiVersion']}",
                f"write {found.body['apiVersion']}",
            )


def _selects_nothing(obj: KubernetesObject, release: Release) -> Violations:
    field = FIELD[obj.kind]
    selector = at(obj.body, "spec", field)
    if selector and not any(selects(selector, pod) for pod in release.pods(obj.namespace)):
        hint = describe_pod_labels(release.pods(obj.namespace))
        yield Violation(f"spec.{field}", f"{describe(selector)} selects no pods of this release", hint)


def _hint(namespace: str, release: Release) -> str:
    there = [one.place for one in release.of_kind(*SCALED) if one.namespace == namespace]
    return f"write kind and name of a workload: {either(there)}" if there else "add the workload to the release"
