"""Images of the environment on its Neuron nodes before a job needs them: a DaemonSet for each node group.

A node pulls an image for the first pod that runs it. These pods run each image and do nothing, so the kubelet does not
delete it as unused either (https://kubernetes.io/docs/concepts/architecture/garbage-collection/#container-image-lifecycle).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.names import GROUP_LABEL, SYSTEM_NAMESPACE
from neuron_cluster.plan.addon_plan import ManifestPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.schedulers.kubernetes.software.component import Component
from neuron_cluster.schedulers.kubernetes.software.component_context import ComponentContext, tolerations_of

COMPONENT = "image_prepull"
NAME = "image-prepull"
USER = 1000
REQUESTS = {"cpu": "1m", "memory": "32Mi"}
"""Requests of each container, which sleeps."""


def component(context: ComponentContext) -> Component:
    """Nothing for a group whose chip runs none of the images (W5092)."""
    return Component(manifests=tuple(_manifests(context)))


def _manifests(context: ComponentContext) -> Iterator[ManifestPlan]:
    for group in context.neuron_groups:
        images = _images(group, context)
        if not images:
            continue
        yield ManifestPlan(
            (*context.addons_path, COMPONENT),
            f"DaemonSet {NAME}-{group.name}",
            (_daemon_set(group, [context.images.pinned(each) for each in images]),),
            component=COMPONENT,
            images=tuple(context.images.pulled_as(each) for each in images),
        )


def _images(group: NodeGroupPlan, context: ComponentContext) -> list[str]:
    """Returns the images for the group. Images that the catalog does not have may run on any chip."""
    catalog, row = context.catalog, context.catalog.instance_types.get(group.machine.instance_type)
    listed = ((each, catalog.containers.get(each)) for each in context.containers)
    return [each for each, known in listed if known is None or row is None or catalog.container_runs_on(known, row)]


def _daemon_set(group: NodeGroupPlan, images: Sequence[str]) -> Mapping[str, Any]:
    """A change of the images reaches all nodes at once: its pods serve nothing."""
    labels = {"app.kubernetes.io/name": NAME, GROUP_LABEL: group.name}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": f"{NAME}-{group.name}", "namespace": SYSTEM_NAMESPACE, "labels": labels},
        "spec": {
            "selector": {"matchLabels": labels},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "100%"}},
            "template": {"metadata": {"labels": labels}, "spec": _pod(group, images)},
        },
    }


def _pod(group: NodeGroupPlan, images: Sequence[str]) -> Mapping[str, Any]:
    """At Pod Security level ``restricted``, without Neuron devices."""
    return {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 1,  # sleep is process 1, which ignores SIGTERM
        "nodeSelector": {GROUP_LABEL: group.name},
        "tolerations": [each.as_values() for each in tolerations_of((group,))],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [
            {
                "name": f"image-{number}",
                "image": image,
                "command": ["sleep", "infinity"],
                "resources": {"requests": REQUESTS, "limits": {"memory": REQUESTS["memory"]}},
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "readOnlyRootFilesystem": True,
                    "capabilities": {"drop": ["ALL"]},
                },
            }
            for number, image in enumerate(images)
        ],
    }
