from __future__ import annotations

from local_kubernetes.model.device_claims import SOURCE, TEMPLATE, pod_claims
from local_kubernetes.model.release import Release
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import write_one


class MissingResourceClaimTemplate(ManifestRule):
    """A pod references a ResourceClaimTemplate of its release and namespace (`resourceClaimTemplateName`)."""

    id = "E8873"
    needs = Needs.POD
    source = SOURCE

    def check(self, context: ManifestContext) -> Violations:
        template, release = context.template, context.release
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
