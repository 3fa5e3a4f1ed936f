"""Fields that the admission policy of a team rejects (``software.team_admission``), before anything is submitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, items, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.placement import Taint, tolerates
from local_kubernetes.model.pod_templates import pod_templates
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.team_admission import NETWORK_VOLUMES
from neuron_cluster.schedulers.kubernetes.software.team_nodes import foreign_taints, nodes_of_team
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.quota_admission import rejected_words

REJECTED_FIELD = "E9311"


class RejectedField(Struct, frozen=True):
    """``message`` is a clause about the object, ``hint`` what to write instead."""

    owner: KubernetesObject
    path: str
    message: str
    hint: str


def field_admission_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], cluster: KubernetesPlan
) -> Iterator[Finding]:
    """E9311, for each field of objects of a user."""
    for source, objects in manifests:
        for each in rejected_fields(objects, cluster, DEFAULT_NAMESPACE):
            place = Location(source, path=f"{each.owner.place} {each.path}")
            message = f"the API server rejects {rejected_words(each.owner)}: {each.message}"
            yield Finding(REJECTED_FIELD, place, message, each.hint)


def rejected_fields(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, namespace: str
) -> Iterator[RejectedField]:
    """``namespace`` is that of objects without one. Only namespaces of teams have a policy."""
    teams = {home: team for team in cluster.teams for home in team.namespaces}
    for body in objects:
        owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or namespace)
        if (team := teams.get(owner.namespace)) is None:
            continue
        if owner.kind == "Service" and items(at(body, "spec", "externalIPs")):
            message = "externalIPs takes connections to addresses that others have"
            yield RejectedField(owner, "spec.externalIPs", message, "leave externalIPs out")
        yield from _of_pods(owner, objects, team, cluster)


def _of_pods(
    owner: KubernetesObject, others: Sequence[Mapping[str, Any]], team: Team, cluster: KubernetesPlan
) -> Iterator[RejectedField]:
    templates = list(pod_templates(owner))
    if not templates:
        return
    taints = foreign_taints(nodes_of_team(team, cluster.node_groups, cluster.namespaces))
    pods = pods_of([owner.body], namespace=owner.namespace, others=others)
    for template, pod in zip(templates, pods, strict=True):
        if at(template.spec, "nodeName"):
            message = "nodeName passes the scheduler and the quotas of queues"
            hint = "select nodes by nodeSelector"
            yield RejectedField(owner, f"{template.spec_path}.nodeName", message, hint)
        volumes = items(at(template.spec, "volumes"))
        if kinds := [name for name in NETWORK_VOLUMES if any(at(each, name) is not None for each in volumes)]:
            message = f"the node attaches or mounts a volume of kind {listed(kinds)}, whosever it is"
            yield RejectedField(owner, f"{template.spec_path}.volumes", message, "mount a PersistentVolumeClaim")
        foreign = [
            f"{each.key}={each.value}"
            for each in taints
            if tolerates(pod.tolerations, Taint(each.key, each.value, each.kubernetes_effect))
        ]
        if foreign:
            message = f"its pods tolerate {listed(foreign)}, the taint of nodes of another team"
            hint = "name key and value of the taints of your own nodes"
            yield RejectedField(owner, f"{template.spec_path}.tolerations", message, hint)
