"""A route to a Service that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.manifest_law.base import ManifestLaw
from neuron_cluster.manifest_law.expand import expand
from neuron_cluster.manifest_law.manifest_object import ManifestObject
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal
from neuron_cluster.template_law.property_tree import at


class MissingBackend(ManifestLaw):
    """A route or an Ingress leads to a Service of its release, at a port that it has."""

    id = "E8848"
    source = (
        "https://gateway-api.sigs.k8s.io/reference/spec/#backendref; "
        "https://kubernetes.io/docs/concepts/services-networking/ingress/#the-ingress-resource"
    )
    kinds = ("HTTPRoute", "Ingress")

    def check(self, judged: ManifestObject, render: Render) -> Iterator[Refusal]:
        for path, reference in expand(judged.body, "spec.rules.*.backendRefs.*"):
            if at(reference, "kind") in (None, "Service"):
                namespace = at(reference, "namespace") or judged.namespace
                yield from _judged(path, at(reference, "name"), at(reference, "port"), namespace, render)
        places = ("spec.rules.*.http.paths.*.backend.service", "spec.defaultBackend.service")
        for path, service in [found for place in places for found in expand(judged.body, place)]:
            port = at(service, "port", "number") or at(service, "port", "name")
            yield from _judged(path, at(service, "name"), port, judged.namespace, render)


def _judged(path: str, name: Any, port: Any, namespace: str, render: Render) -> Iterator[Refusal]:
    service = render.find("Service", namespace, name)
    if service is None:
        yield Refusal(f"{path}.name", f"the release has no Service {name!r}", "name the Service of this release")
        return
    ports = [at(one, field) for _, one in expand(service.body, "spec.ports.*") for field in ("port", "name")]
    if port not in ports:
        yield Refusal(
            f"{path}.port", f"{service.place} has no port {port!r}; it has {ports}", "name a port of the Service"
        )
