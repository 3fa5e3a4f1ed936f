"""Images of pods that the list of the team of their namespace does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.allowed_images import is_allowed
from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.fields import at, items
from local_kubernetes.model.image_reference import image_reference
from local_kubernetes.model.names import DEFAULT_NAMESPACE
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate, pod_templates
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding

OUTSIDE = "E9272"


def chart_image_list_findings(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, *, chart: str, namespace: str
) -> Iterator[Finding]:
    """E9272, once for each object and image of a chart."""
    for owner, team, image in _outside(objects, cluster, namespace):
        yield finding(OUTSIDE, chart, f"{owner.kind} {owner.name}", _message(image, team), _hint(image, team))


def user_image_list_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], cluster: KubernetesPlan
) -> Iterator[Finding]:
    """The same of manifests of a user: a source with its objects."""
    for source, objects in manifests:
        for owner, team, image in _outside(objects, cluster, DEFAULT_NAMESPACE):
            place = Location(source, path=f"{owner.kind} {owner.name}")
            yield Finding(OUTSIDE, place, _message(image, team), _hint(image, team))


def _outside(
    objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, namespace: str
) -> Iterator[tuple[KubernetesObject, Team, str]]:
    teams = {home: team for team in cluster.teams if team.images for home in team.namespaces}
    for body in objects if teams else ():
        owner = KubernetesObject(body, str(value_at(body, "metadata.namespace") or namespace))
        team = teams.get(owner.namespace)
        images = [image for template in pod_templates(owner) for image in _images(template)]
        for image in dict.fromkeys(images) if team is not None else ():
            if team is not None and not is_allowed(image, team.images):
                yield owner, team, image


def _images(template: PodTemplate) -> Iterator[str]:
    """Yields images of containers and volumes that the admission policy reads; an absent text is another finding."""
    named = [each.body.get("image") for each in template.containers]
    named += [at(volume, "image", "reference") for volume in items(at(template.spec, "volumes"))]
    yield from (each for each in named if isinstance(each, str))


def _message(image: str, team: Team) -> str:
    return f"the API server rejects its pods: {image} is not in the list of team {team.name} ({listed(team.images)})"


def _hint(image: str, team: Team) -> str:
    repository = image_reference(image).repository
    return f"use an image of the list, or add {repository} to images of team {team.name} in teams and deploy"
