from __future__ import annotations

from local_kubernetes.model.container_resources import container_resources
from local_kubernetes.model.device_claims import PodClaim, device_requests, pod_claims
from local_kubernetes.model.names import NEURON, NEURON_CLASS, NEURON_CORE
from local_kubernetes.model.release import Release
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

EXTENDED = (NEURON, NEURON_CORE)


class DevicesFromPluginAndClaim(ManifestRule):
    """A pod requests Neuron devices with a claim (`resourceClaims`) or as an extended resource, not both."""

    id = "E8874"
    needs = Needs.POD
    source = (
        "aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst (device plugin and DRA driver do not share a node); "
        "https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html"
    )

    def check(self, context: ManifestContext) -> Violations:
        template, release = context.template, context.release
        claimed = [claim for claim in pod_claims(template) if _claims_neuron(claim, template.owner.namespace, release)]
        paths = [
            path for claims in container_resources(template) for path, name, _ in claims.amounts() if name in EXTENDED
        ]
        for claim in claimed if paths else ():
            yield Violation(
                claim.path,
                f"claims devices of class {NEURON_CLASS}, but {paths[0]} requests devices of the device plugin: a "
                "node runs the device plugin or the DRA driver, so the pod is unschedulable",
                f"remove the claim here and from resources.claims of the containers, or remove {' and '.join(paths)}",
            )


def _claims_neuron(claim: PodClaim, namespace: str, release: Release) -> bool:
    """Whether a claim or claim template of this release requests Neuron devices."""
    found = release.find(claim.kind, namespace, claim.target)
    return found is not None and any(request.device_class == NEURON_CLASS for request in device_requests(found))
