"""The images that pods of a team may run, as an admission policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.allowed_images import exact_images, image_beginnings
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.admission_policy import (
    MatchedResources,
    Validation,
    binding,
    literal,
    policy,
    policy_name,
)

LISTS_OF_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")
PODS = ("pods", "pods/ephemeralcontainers")


def team_images(team: Team, *, is_governed: bool = False) -> ManifestPlan:
    """The policy and its binding. No namespace of a team has a name with which the manifest's could clash."""
    name = policy_name("images", team, is_governed=is_governed)
    return ManifestPlan(team.path, f"Images of team {team.name}", (_policy(name, team), binding(name, team.namespaces)))


def _policy(name: str, team: Team) -> Mapping[str, Any]:
    variables = {
        "images": _images_of("object"),
        "before": f'request.operation == "UPDATE" ? {_images_of("oldObject")} : []',
        "outside": _outside(team),
    }
    validation = Validation("variables.outside.size() == 0", _message(team), _message_expression(team))
    return policy(name, (MatchedResources("", PODS, versions=("v1",)),), variables, (validation,))


def _images_of(pod: str) -> str:
    """Images of all containers of a pod, and those that it mounts as volumes: files of both can be run."""
    listed = (
        f"(has({pod}.spec.{name}) ? {pod}.spec.{name}.map(each, each.image) : [])" for name in LISTS_OF_CONTAINERS
    )
    volumes = f"{pod}.spec.volumes.filter(each, has(each.image)).map(each, each.image.reference)"
    return " + ".join((*listed, f"(has({pod}.spec.volumes) ? {volumes} : [])"))


def _outside(team: Team) -> str:
    """An update is judged by the images that it adds: otherwise a shorter list would keep controllers from removing
    finalizers of pods that run, and Kueue from starting pods that wait."""
    exact, beginnings = literal(exact_images(team.images)), literal(image_beginnings(team.images))
    return (
        f"variables.images.filter(image, !(image in variables.before) && !(image in {exact}) && "
        f"!{beginnings}.exists(beginning, image.startsWith(beginning)))"
    )


def _message(team: Team) -> str:
    """Also what users read where the one with the image is longer than the 5 KiB that Kubernetes shows."""
    return f"an image of the pod is not in the list of team {team.name} (teams[].images of the environment file)"


def _message_expression(team: Team) -> str:
    end = f" is not in the list of team {team.name} (teams[].images of the environment file): {', '.join(team.images)}"
    return f'"image " + variables.outside[0] + {literal(end)}'
