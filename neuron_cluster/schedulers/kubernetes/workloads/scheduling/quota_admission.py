"""Objects that exceed a ResourceQuota of their namespace by themselves, whatever else runs there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.device_claims import CLAIM, TEMPLATE, pod_claims
from local_kubernetes.model.fields import at, items, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE, NEURON_CORE
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from local_kubernetes.model.release import Release
from local_kubernetes.model.resource_quota import ExceededLimit, exceeded_limits
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan

BEYOND_QUOTA = "E9310"
VOLUME_CLAIM = "PersistentVolumeClaim"
Quotas = Sequence[Mapping[str, Any]]


def quota_admission_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], cluster: KubernetesPlan
) -> Iterator[Finding]:
    """E9310, for each object of a user and limit."""
    for source, objects in manifests:
        for owner, exceeded in objects_beyond_quotas(objects, cluster, DEFAULT_NAMESPACE):
            message = f"the API server rejects {rejected_words(owner, exceeded)}: {exceeded.text}"
            yield Finding(BEYOND_QUOTA, Location(source, path=owner.place), message, hint_for_quota(exceeded))


def rejected_words(owner: KubernetesObject, exceeded: ExceededLimit | None = None) -> str:
    """Returns what is rejected: the object, the pods that a controller makes of it, or the claims of these."""
    place = f"{owner.kind} {owner.namespace}/{owner.name}"
    if exceeded is not None and exceeded.is_of_claims and owner.kind not in (CLAIM, VOLUME_CLAIM):
        return f"claims of the pods of {place}"
    return f"the pods of {place}" if owner.kind != "Pod" and any(pod_templates(owner)) else place


def objects_beyond_quotas(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, namespace: str
) -> Iterator[tuple[KubernetesObject, ExceededLimit]]:
    """Each object that exceeds a limit by itself. Only namespaces of teams have quotas; ``namespace`` is that of
    objects without one."""
    for body in objects:
        owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or namespace)
        for exceeded in _exceeded_limits(owner, objects, quotas_of(cluster, owner.namespace)):
            yield owner, exceeded


def quotas_of(cluster: KubernetesPlan, namespace: str) -> Quotas:
    """ResourceQuotas of a namespace that the environment makes."""
    made = (each for manifest in cluster.team_manifests for each in manifest.objects)
    return [each for each in made if each["kind"] == "ResourceQuota" and at(each, "metadata", "namespace") == namespace]


def _exceeded_limits(
    owner: KubernetesObject, others: Sequence[Mapping[str, Any]], quotas: Quotas
) -> Iterator[ExceededLimit]:
    templates = list(pod_templates(owner)) if quotas else []
    pods: Sequence[PodInfo] = pods_of([owner.body], namespace=owner.namespace, others=others) if templates else ()
    release = Release(others, namespace=owner.namespace)
    asked: list[tuple[Mapping[str, Any], int]] = [
        (body, pod.replicas or 1)
        for template, pod in zip(templates, pods, strict=True)
        for body in ({"kind": "Pod", "spec": template.spec}, *_claims_of_pod(template, release))
    ]
    yield from exceeded_limits(quotas, asked or [(owner.body, 1)])


def _claims_of_pod(template: PodTemplate, release: Release) -> Iterator[Mapping[str, Any]]:
    """Claims that Kubernetes makes for each pod. One that pods name is counted once, as an object of its own."""
    for claim in pod_claims(template):
        made_from = release.find(TEMPLATE, template.owner.namespace, claim.target) if claim.kind == TEMPLATE else None
        if made_from is not None:
            yield {"kind": CLAIM, "spec": at(made_from.body, "spec", "spec")}
    of_volumes = [at(each, "ephemeral", "volumeClaimTemplate") for each in items(at(template.spec, "volumes"))]
    if template.owner.kind == "StatefulSet":
        of_volumes += items(at(template.owner.body, "spec", "volumeClaimTemplates"))
    for each in filter(None, of_volumes):
        yield {"kind": VOLUME_CLAIM, "spec": at(each, "spec")}


def hint_for_quota(exceeded: ExceededLimit) -> str:
    if exceeded.limit == "pods" and exceeded.hard == "0":
        return "leave priorityClassName out: no pod of a team has a priority class of the system"
    if exceeded.limit == f"requests.{NEURON_CORE}":
        return "request whole devices (aws.amazon.com/neuron): of cores the team has those of groups without a queue"
    if exceeded.hard == "0":
        return f"leave it out: the quota allows no {exceeded.limit}"
    return f"request {exceeded.hard} at most, at all pods together, or raise the quota of the team in the file"
