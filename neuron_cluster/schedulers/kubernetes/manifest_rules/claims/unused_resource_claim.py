from __future__ import annotations

from local_kubernetes.model.device_claims import SOURCE, container_claims, pod_claims
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class UnusedResourceClaim(ManifestRule):
    """A claim of a pod is used by one of its containers (`resources.claims`)."""

    id = "E8871"
    needs = Needs.POD
    source = SOURCE

    def check(self, context: ManifestContext) -> Violations:
        used = {name for _, name in container_claims(context.template)}
        for claim in pod_claims(context.template):
            if claim.name not in used:
                yield Violation(
                    claim.path,
                    f"no container uses the claim {claim.name!r}, and so none has access to its devices",
                    f"add {{name: {claim.name}}} to resources.claims of a container, or remove the claim",
                )
