"""Reads the device claims of pods from Kubernetes objects (resource.k8s.io).

Selectors are CEL. Evaluated are the two forms of AWS's samples: one attribute compared with one string
 (aws-neuron/aws-neuron-sdk: deploy/files/specs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from local_kubernetes.model.device_claims import (
    DeviceRequest,
    PodClaim,
    device_requests,
    pod_claims,
)
from local_kubernetes.model.fields import at, items, text
from local_kubernetes.model.names import NEURON_CLASS
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.release import Release
from local_kubernetes.model.scheduling.pod import ClaimedDevices, ResourceClaim

_COMPARISON = re.compile(
    rf"device\.attributes\[['\"]{re.escape(NEURON_CLASS)}['\"]\]\.(?P<attribute>\w+)\s*==\s*['\"](?P<value>[^'\"]*)['\"]"
)
UNITS: dict[str, Literal["device", "node"]] = {"neuron_device": "device", "neuron_node": "node"}
"""Values of the driver's attribute ``resourceType`` (aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst)."""


def read_claims(template: PodTemplate, release: Release) -> tuple[ResourceClaim, ...]:
    """The claims of one pod, each with the requests of the ResourceClaim or template that it names."""
    return tuple(_claim(each, release, template.owner.namespace) for each in pod_claims(template))


def _claim(claim: PodClaim, release: Release, namespace: str) -> ResourceClaim:
    found = release.find(claim.kind, namespace, claim.target) if claim.kind else None
    if found is None:
        return ResourceClaim(claim.name, missing=f"{claim.kind or 'no object'} {claim.target}".strip())
    requests = list(device_requests(found))
    plain = [each for each in requests if each.path.endswith(".exactly")]
    doubts = list(_doubts(found, plain))
    if len(plain) < len(requests):
        doubts.append("its alternatives (firstAvailable) are not evaluated")
    return ResourceClaim(claim.name, tuple(_devices(each) for each in plain), doubts=tuple(doubts))


def _devices(request: DeviceRequest) -> ClaimedDevices:
    compared = dict(_compared(request))
    count = request.count if isinstance(request.count, int) else 1  # Kubernetes' default of ExactCount
    return ClaimedDevices(
        device_class=request.device_class,
        count=None if request.wants_all else count,
        unit=UNITS.get(compared.get("resourceType", ""), "device"),
        instance_type=compared.get("instanceType"),
    )


def _compared(request: DeviceRequest) -> Iterator[tuple[str, str]]:
    for expression in _expressions(request):
        found = _COMPARISON.fullmatch(expression)
        if found is not None:
            yield found["attribute"], found["value"]


def _expressions(request: DeviceRequest) -> list[str]:
    return [(text(at(each, "cel", "expression")) or "").strip() for each in items(at(request.body, "selectors"))]


def _doubts(found: KubernetesObject, requests: list[DeviceRequest]) -> Iterator[str]:
    for request in requests:
        for expression in _expressions(request):
            form = _COMPARISON.fullmatch(expression)
            if form is None or form["attribute"] not in ("resourceType", "instanceType"):
                yield f"the selector {expression} is not evaluated"
    spec = at(found.body, "spec", "spec") or at(found.body, "spec")
    if at(spec, "devices", "constraints"):
        yield "its constraints are not evaluated"
