from __future__ import annotations

from local_kubernetes.model.device_claims import SOURCE, container_claims, pod_claims
from local_kubernetes.model.pod_templates import PodTemplate
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either


class UndefinedResourceClaim(ManifestRule):
    """A claim that a container uses is defined in the pod's `resourceClaims`."""

    id = "E8872"
    needs = Needs.POD
    source = SOURCE

    def check(self, context: ManifestContext) -> Violations:
        made = {claim.name for claim in pod_claims(context.template)}
        for path, name in container_claims(context.template):
            if name not in made:
                yield Violation(
                    path,
                    f"the pod defines no claim {name!r}; the API server rejects the pod",
                    _hint(context.template, name, made),
                )


def _hint(template: PodTemplate, name: str, made: set[str]) -> str:
    other = f"write the name {either(sorted(made))}, or " if made else ""
    return f"{other}add {name} to {template.spec_path}.resourceClaims"
