from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_kubernetes.model.fields import at, expand
from local_kubernetes.model.release import Release
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either, write_one

OF_A_ROUTE, OF_AN_INGRESS = {"port": ""}, {"port": "number: ", "name": "name: "}
"""The fields of a Service port that each may reference, with their prefix in hints; a route only the number."""


class MissingBackendService(ManifestRule):
    """The backend of an HTTPRoute or Ingress is a port of a Service of its release (`backendRefs`, `backend`)."""

    id = "E8848"
    source = (
        "https://gateway-api.sigs.k8s.io/reference/spec/#backendref; "
        "https://kubernetes.io/docs/concepts/services-networking/ingress/#the-ingress-resource"
    )
    kinds = ("HTTPRoute", "Ingress")

    def check(self, context: ManifestContext) -> Violations:
        obj = context.object
        for path, reference in expand(obj.body, "spec.rules.*.backendRefs.*"):
            if at(reference, "kind") in (None, "Service"):
                namespace = at(reference, "namespace") or obj.namespace
                yield from _violations(
                    path, at(reference, "name"), at(reference, "port"), namespace, context.release, OF_A_ROUTE
                )
        places = ("spec.rules.*.http.paths.*.backend.service", "spec.defaultBackend.service")
        for path, service in [found for place in places for found in expand(obj.body, place)]:
            port = at(service, "port", "number") or at(service, "port", "name")
            yield from _violations(path, at(service, "name"), port, obj.namespace, context.release, OF_AN_INGRESS)


def _violations(
    path: str, name: Any, port: Any, namespace: str, release: Release, prefixes: Mapping[str, str]
) -> Violations:
    service = release.find("Service", namespace, name)
    if service is None:
        yield Violation(f"{path}.name", f"the release has no Service {name!r}", _hint(namespace, release))
        return
    listed = [one for _, one in expand(service.body, "spec.ports.*")]
    ports = {at(one, field): f"{prefix}{at(one, field)}" for one in listed for field, prefix in prefixes.items()}
    if port not in ports:
        there = [(value, written) for value, written in ports.items() if value is not None]
        message = (
            f"{service.place} has no port {port!r}; it has {', '.join(str(value) for value, _ in there) or 'none'}"
        )
        hint = f"write {either(written for _, written in there)}" if there else f"add a port to {service.place}"
        yield Violation(f"{path}.port", message, hint)


def _hint(namespace: str, release: Release) -> str:
    there = [one.name for one in release.of_kind("Service") if one.namespace == namespace]
    return write_one(there, "add the Service to the release")
