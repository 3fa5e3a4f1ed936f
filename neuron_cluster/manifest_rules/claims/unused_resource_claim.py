"""Pod claims that no container uses."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.device_claims import SOURCE, container_claims, pod_claims
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class UnusedResourceClaim(PodRule):
    """A claim of a pod is used by one of its containers (`resources.claims`)."""

    id = "E8871"
    source = SOURCE

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        used = {name for _, name in container_claims(template)}
        for claim in pod_claims(template):
            if claim.name not in used:
                yield Violation(
                    claim.path,
                    f"no container uses the claim {claim.name!r}, and so none has access to its devices",
                    f"add {{name: {claim.name}}} to resources.claims of a container, or remove the claim",
                )
