from __future__ import annotations

from local_kubernetes.model.pod_security.baseline import rejected_by_baseline
from local_kubernetes.model.pod_security.control import SOURCE
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class PodSecurityBaseline(ManifestRule):
    """Pods in a namespace with Pod Security level baseline or restricted meet the baseline controls."""

    id = "E8861"
    needs = Needs.POD
    source = f"{SOURCE}#baseline"

    def check(self, context: ManifestContext) -> Violations:
        template, release = context.template, context.release
        if release.pod_security(template.owner.namespace) in ("baseline", "restricted"):
            for field in rejected_by_baseline(template, release.pod_security_minor(template.owner.namespace)):
                message = f"{field.what}; the namespace's Pod Security level (baseline or higher) does not allow it"
                yield Violation(field.path, message, field.hint)
