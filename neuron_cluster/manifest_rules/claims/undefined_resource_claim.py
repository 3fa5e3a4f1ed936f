"""Containers that use a claim which their pod does not define."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.device_claims import SOURCE, container_claims, pod_claims
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.manifest_rules.wording import either
from neuron_cluster.template_rules.base import Violation


class UndefinedResourceClaim(PodRule):
    """A claim that a container uses is defined in the pod's `resourceClaims`."""

    id = "E8872"
    source = SOURCE

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        made = {claim.name for claim in pod_claims(template)}
        for path, name in container_claims(template):
            if name not in made:
                yield Violation(
                    path,
                    f"the pod defines no claim {name!r}; the API server rejects the pod",
                    _hint(template, name, made),
                )


def _hint(template: PodTemplate, name: str, made: set[str]) -> str:
    other = f"write the name {either(sorted(made))}, or " if made else ""
    return f"{other}add {name} to {template.spec_path}.resourceClaims"
