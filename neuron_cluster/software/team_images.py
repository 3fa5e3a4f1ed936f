"""The images that pods of a team may run, as an admission policy in CEL that the API server evaluates.

Sources: kubernetes/website content/en/docs/reference/access-authn-authz/validating-admission-policy.md (stable since
1.30); kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/validator.go.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from neuron_cluster.kubernetes.allowed_images import exact_images, image_beginnings
from neuron_cluster.kubernetes.names import NAMESPACE_LABEL
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.team import Team

API = "admissionregistration.k8s.io/v1"
POLICY, BINDING = "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"
LISTS_OF_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")
PODS = ("pods", "pods/ephemeralcontainers")


def team_images(team: Team) -> ManifestPlan:
    """The policy and its binding. No namespace of a team has a name with which the manifest's could clash."""
    return ManifestPlan(team.path, f"Images of team {team.name}", (_policy(team), _binding(team)))


def _policy(team: Team) -> Mapping[str, Any]:
    """A request whose pod cannot be evaluated is rejected (``failurePolicy``)."""
    return {
        "apiVersion": API,
        "kind": POLICY,
        "metadata": {"name": _name(team)},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {
                "resourceRules": [
                    {
                        "apiGroups": [""],
                        "apiVersions": ["v1"],
                        "operations": ["CREATE", "UPDATE"],
                        "resources": list(PODS),
                    }
                ]
            },
            "variables": [
                {"name": "images", "expression": _images_of("object")},
                {"name": "before", "expression": f'request.operation == "UPDATE" ? {_images_of("oldObject")} : []'},
                {"name": "outside", "expression": _outside(team)},
            ],
            "validations": [
                {
                    "expression": "variables.outside.size() == 0",
                    "reason": "Forbidden",
                    "message": _message(team),
                    "messageExpression": _message_expression(team),
                }
            ],
        },
    }


def _binding(team: Team) -> Mapping[str, Any]:
    """By the label that the API server itself sets on every namespace, and restores."""
    names = {"key": NAMESPACE_LABEL, "operator": "In", "values": list(team.namespaces)}
    return {
        "apiVersion": API,
        "kind": BINDING,
        "metadata": {"name": _name(team)},
        "spec": {
            "policyName": _name(team),
            "validationActions": ["Deny"],
            "matchResources": {"namespaceSelector": {"matchExpressions": [names]}},
        },
    }


def _name(team: Team) -> str:
    return f"neuron-cluster-images-{team.name}"


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
    exact, beginnings = _literal(exact_images(team.images)), _literal(image_beginnings(team.images))
    return (
        f"variables.images.filter(image, !(image in variables.before) && !(image in {exact}) && "
        f"!{beginnings}.exists(beginning, image.startsWith(beginning)))"
    )


def _message(team: Team) -> str:
    """Also what users read where the one with the image is longer than the 5 KiB that Kubernetes shows."""
    return f"an image of the pod is not in the list of team {team.name} (teams[].images of the environment file)"


def _message_expression(team: Team) -> str:
    end = f" is not in the list of team {team.name} (teams[].images of the environment file): {', '.join(team.images)}"
    return f'"image " + variables.outside[0] + {_literal(end)}'


def _literal(value: Any) -> str:
    """In CEL: strings and lists of strings are written as in JSON. Entries have no character that it escapes."""
    return json.dumps(value)
