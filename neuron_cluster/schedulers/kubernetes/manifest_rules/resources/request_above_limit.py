from __future__ import annotations

from local_kubernetes.model.container_resources import NATIVE, container_resources
from local_kubernetes.model.quantity import quantity
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class RequestAboveLimit(ManifestRule):
    """A container's request of CPU, memory or ephemeral storage does not exceed its limit (`requests`, `limits`)."""

    id = "E8804"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#requests-and-limits"

    def check(self, context: ManifestContext) -> Violations:
        for claims in container_resources(context.template):
            for name in NATIVE:
                request, limit = quantity(claims.requests.get(name)), quantity(claims.limits.get(name))
                if request is not None and limit is not None and request > limit:
                    requested, allowed = claims.requests[name], claims.limits[name]
                    hint = f"write {allowed} or less, write limits.{name}: {requested} or more, or remove limits.{name}"
                    yield Violation(
                        claims.place("requests", name), f"the request {requested} exceeds the limit {allowed}", hint
                    )
