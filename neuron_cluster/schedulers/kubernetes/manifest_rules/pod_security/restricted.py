from __future__ import annotations

from local_kubernetes.model.pod_security.control import SOURCE
from local_kubernetes.model.pod_security.restricted import rejected_by_restricted
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class PodSecurityRestricted(ManifestRule):
    """Pods in a namespace with Pod Security level restricted meet its controls beyond baseline."""

    id = "E8862"
    needs = Needs.POD
    source = f"{SOURCE}#restricted"

    def check(self, context: ManifestContext) -> Violations:
        if context.release.pod_security(context.template.owner.namespace) == "restricted":
            for field in rejected_by_restricted(context.template):
                message = f"the namespace's Pod Security level is restricted: {field.what}"
                yield Violation(field.path, message, field.hint)
