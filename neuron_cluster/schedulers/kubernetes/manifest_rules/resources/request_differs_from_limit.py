from __future__ import annotations

from local_kubernetes.model.container_resources import (
    EXTENDED_SOURCE,
    ContainerResources,
    container_resources,
    is_extended,
    is_hugepages,
)
from local_kubernetes.model.quantity import quantity
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class RequestDiffersFromLimit(ManifestRule):
    """The limit of an extended resource or of huge pages is set, and the request is equal to it (`limits`)."""

    id = "E8803"
    needs = Needs.POD
    source = f"{EXTENDED_SOURCE}; https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/"

    def check(self, context: ManifestContext) -> Violations:
        for claims in container_resources(context.template):
            for name in dict.fromkeys([*claims.limits, *claims.requests]):
                if is_extended(name) or is_hugepages(name):
                    yield from _unequal(claims, name)


def _unequal(claims: ContainerResources, name: str) -> Violations:
    request, limit = claims.requests.get(name), claims.limits.get(name)
    if limit is None:
        yield Violation(
            claims.place("requests", name),
            f"{name} is set only in requests; it cannot be overcommitted, so the API server rejects the pod",
            f"write limits.{name}: {request}, or remove the request",
        )
    elif request is not None and quantity(request) != quantity(limit):
        yield Violation(
            claims.place("requests", name),
            f"{name}: the request {request} differs from the limit {limit}",
            f"write {limit} here, or limits.{name}: {request}",
        )
