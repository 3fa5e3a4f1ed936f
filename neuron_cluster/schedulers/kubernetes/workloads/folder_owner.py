"""Pods that write to a claim of the environment as another user than the owner of its folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.fields import items
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.software.lustre_folders import OWNER
from neuron_cluster.schedulers.kubernetes.software.lustre_volumes import LUSTRE_CLAIM
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.storage import environment_claims

USER = int(OWNER.partition(":")[0])


def owner_findings(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, *, chart: str, namespace: str
) -> Iterator[Finding]:
    """W9265, once for each user and claim. Without ``runAsUser`` only the image of a container names its user."""
    # EFS replaces the user of each client by that of the access point.
    claims = frozenset(each for each in environment_claims(cluster) if each[1] == LUSTRE_CLAIM)
    told: set[tuple[int, str]] = set()
    for body in objects:
        owner = KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace))
        writers = [each for template in pod_templates(owner) for each in _writers(template, owner.namespace, claims)]
        for user, claim in dict.fromkeys(writers):
            if (user, claim) in told:
                continue
            told.add((user, claim))
            message = f"its pods write to the claim {claim} as user {user}, and its folders belong to {OWNER}"
            hint = (
                f"set runAsUser to {USER}; or change the owner of the folders that it uses (chown), which the toolkit "
                "then leaves as it is"
            )
            yield finding("W9265", chart, f"{owner.kind} {owner.name}", message, hint)


def _writers(template: PodTemplate, namespace: str, claims: frozenset[tuple[str, str]]) -> Iterator[tuple[int, str]]:
    """User and claim of each container that may write there as neither root nor the owner."""
    for container, claim in written_claims(template, namespace, claims):
        own = value_at(container, "securityContext.runAsUser")
        user = own if own is not None else value_at(template.spec, "securityContext.runAsUser")
        if isinstance(user, int) and user not in (0, USER):
            yield user, claim


def written_claims(
    template: PodTemplate, namespace: str, claims: frozenset[tuple[str, str]]
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each container and a claim, of these, that it mounts without ``readOnly``."""
    claim_of = {}
    for volume in items(value_at(template.spec, "volumes")):
        name = value_at(volume, "persistentVolumeClaim.claimName")
        if (namespace, name) in claims and value_at(volume, "persistentVolumeClaim.readOnly") is not True:
            claim_of[value_at(volume, "name")] = str(name)
    for container in template.containers:
        mounts = items(value_at(container.body, "volumeMounts"))
        written = [value_at(mount, "name") for mount in mounts if value_at(mount, "readOnly") is not True]
        yield from ((container.body, claim_of[name]) for name in written if name in claim_of)
