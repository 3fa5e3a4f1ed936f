"""Claims of devices (DRA): what a pod claims, which containers use it, what a claim requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, numbered, text
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate

SOURCE = "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/"
TEMPLATE, CLAIM = "ResourceClaimTemplate", "ResourceClaim"
SPEC_PLACES: Mapping[str, tuple[str, ...]] = {TEMPLATE: ("spec", "spec"), CLAIM: ("spec",)}
"""The path of the claim's spec in each kind."""


class PodClaim(Struct, frozen=True):
    """One entry of ``resourceClaims``: ``kind`` and ``target`` are what it references; empty without a reference."""

    path: str
    name: str
    kind: str
    target: str


class DeviceRequest(Struct, frozen=True):
    """One request of a claim, or one of the alternatives of a request."""

    path: str
    body: Mapping[str, Any]

    @property
    def device_class(self) -> str:
        return text(at(self.body, "deviceClassName")) or ""

    @property
    def wants_all(self) -> bool:
        """Whether it requests every matching device of a node. ``ExactCount`` is Kubernetes' default."""
        return bool(at(self.body, "allocationMode") == "All")

    @property
    def count(self) -> Any:
        return at(self.body, "count")


def pod_claims(template: PodTemplate) -> Iterator[PodClaim]:
    for path, each in numbered(at(template.spec, "resourceClaims"), f"{template.spec_path}.resourceClaims"):
        of_template, of_claim = (text(at(each, key)) for key in ("resourceClaimTemplateName", "resourceClaimName"))
        kind = TEMPLATE if of_template else CLAIM if of_claim else ""
        yield PodClaim(path, text(at(each, "name")) or "", kind, of_template or of_claim or "")


def container_claims(template: PodTemplate) -> Iterator[tuple[str, str]]:
    """Path and name of each claim that a container uses."""
    for container in template.containers:
        for path, each in numbered(at(container.body, "resources", "claims"), f"{container.path}.resources.claims"):
            yield path, text(at(each, "name")) or ""


def device_requests(obj: KubernetesObject) -> Iterator[DeviceRequest]:
    """The requests of a claim or template; none of another kind."""
    place = SPEC_PLACES.get(obj.kind, ())
    path = ".".join((*place, "devices", "requests"))
    for where, request in numbered(at(obj.body, *place, "devices", "requests") if place else None, path):
        exactly = at(request, "exactly")
        if isinstance(exactly, Mapping):
            yield DeviceRequest(f"{where}.exactly", exactly)
        for inner, alternative in numbered(at(request, "firstAvailable"), f"{where}.firstAvailable"):
            if isinstance(alternative, Mapping):
                yield DeviceRequest(inner, alternative)
