from __future__ import annotations

from local_kubernetes.model.container_resources import container_resources, is_hugepages
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class HugePagesWithoutCpuOrMemory(ManifestRule):
    """A container with huge pages requests CPU or memory as well (`resources`)."""

    id = "E8805"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/#api"

    def check(self, context: ManifestContext) -> Violations:
        for claims in container_resources(context.template):
            names = {*claims.requests, *claims.limits}
            if any(map(is_hugepages, names)) and names.isdisjoint(("cpu", "memory")):
                yield Violation(
                    claims.path,
                    "requests huge pages, but neither cpu nor memory; the API server rejects the pod",
                    "write requests.cpu or requests.memory",
                )
