"""Pods that Kueue cannot admit by a queue whose node groups all have a network topology.

Every pod set of such a queue needs a flavor with a topology, and gets one only by a resource that the queue counts: its
own, or that of the pod set that it is grouped with.
Source: kubernetes-sigs/kueue@ff69552, pkg/scheduler/flavorassigner/tas_flavorassigner.go (isTASImplied, onlyTASFlavor),
flavorassigner.go (resolvePodSetFlavors).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from local_kubernetes.model.fields import at, text_pairs
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import pod_templates
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of

POD_SET_GROUP = "kueue.x-k8s.io/podset-group-name"


def without_flavor(body: Mapping[str, Any], namespace: str, counted: Collection[str]) -> list[PodInfo]:
    """The pods of an object that request nothing of ``counted``, the resources of the queue, by no way."""
    templates = pod_templates(KubernetesObject(body, namespace))
    groups = [text_pairs(at(template.body, "metadata", "annotations")).get(POD_SET_GROUP) for template in templates]
    pods = list(zip(pods_of([body], namespace=namespace), groups, strict=True))
    placed = {group for pod, group in pods if _is_counted(pod, counted)}
    return [pod for pod, group in pods if not _is_counted(pod, counted) and (group is None or group not in placed)]


def _is_counted(pod: PodInfo, counted: Collection[str]) -> bool:
    """Claimed devices are counted as those of the device plugin (``deviceClassMappings``)."""
    return bool(pod.claims) or any(pod.requests.get(name) for name in counted)
