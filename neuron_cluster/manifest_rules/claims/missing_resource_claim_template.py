"""Pod claims with a ResourceClaimTemplate that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.device_claims import SOURCE, TEMPLATE, pod_claims
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.manifest_rules.wording import write_one
from neuron_cluster.template_rules.base import Violation


class MissingResourceClaimTemplate(PodRule):
    """A pod references a ResourceClaimTemplate of its release and namespace (`resourceClaimTemplateName`)."""

    id = "E8873"
    source = SOURCE

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        for claim in pod_claims(template):
            if claim.kind == TEMPLATE and release.find(TEMPLATE, template.owner.namespace, claim.target) is None:
                yield Violation(
                    f"{claim.path}.resourceClaimTemplateName",
                    f"{template.owner.namespace} has no {TEMPLATE} {claim.target!r}: the pods stay Pending",
                    _hint(template.owner.namespace, claim.target, release),
                )


def _hint(namespace: str, name: str, release: Release) -> str:
    there = [one.name for one in release.of_kind(TEMPLATE) if one.namespace == namespace]
    return write_one(there, f"add a {TEMPLATE} {name} with the namespace {namespace}")
