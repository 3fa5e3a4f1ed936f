from __future__ import annotations

from typing import Any

from local_kubernetes.model.fields import at
from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.selectors import describe, selects
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class SelectorMismatch(ManifestRule):
    """A workload's selector is set and matches the labels of its pod template (`selector`)."""

    id = "E8831"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector"

    def check(self, context: ManifestContext) -> Violations:
        template = context.template
        if template.owner.kind not in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"):
            return
        selector = at(template.owner.body, "spec", "selector") or {}
        if not (at(selector, "matchLabels") or at(selector, "matchExpressions")):
            yield Violation("spec.selector", "is not set or empty", _hint(selector, template))
        elif not selects(selector, template):
            yield Violation(
                "spec.selector",
                f"{describe(selector)} does not match the pod template's labels {describe(template.labels)}",
                _hint(selector, template),
            )


def _hint(selector: Any, template: PodTemplate) -> str:
    if not template.labels:
        return f"write {describe(selector)} in {template.path}.metadata.labels"
    return f"write matchLabels with labels of the template: {describe(template.labels)}"
