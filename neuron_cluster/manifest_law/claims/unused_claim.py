"""Claims that no container uses."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.device_claims import SOURCE, container_claims, pod_claims
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal


class UnusedClaim(PodLaw):
    """A device that a pod claims is used by one of its containers."""

    id = "E8871"
    source = SOURCE

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]:
        del render
        used = {name for _, name in container_claims(template)}
        for claim in pod_claims(template):
            if claim.name not in used:
                yield Refusal(
                    claim.path,
                    f"no container names the claim {claim.name!r}: devices are taken, and nothing in the pod sees them",
                    f"add {{name: {claim.name}}} to resources.claims of a container, or remove the claim",
                )
