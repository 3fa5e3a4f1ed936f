"""Resource requests that exceed the limit."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.container_resources import NATIVE, container_resources
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.quantity import quantity
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class RequestAboveLimit(PodRule):
    """A container's request of CPU, memory or ephemeral storage does not exceed its limit (`requests`, `limits`)."""

    id = "E8804"
    source = "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#requests-and-limits"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for claims in container_resources(template):
            for name in NATIVE:
                request, limit = quantity(claims.requests.get(name)), quantity(claims.limits.get(name))
                if request is not None and limit is not None and request > limit:
                    requested, allowed = claims.requests[name], claims.limits[name]
                    hint = f"write {allowed} or less, write limits.{name}: {requested} or more, or remove limits.{name}"
                    yield Violation(
                        claims.place("requests", name), f"the request {requested} exceeds the limit {allowed}", hint
                    )
