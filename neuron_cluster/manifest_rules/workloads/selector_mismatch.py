"""Workloads whose selector does not match their pod template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.kubernetes.fields import at
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.kubernetes.selectors import describe, selects
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class SelectorMismatch(PodRule):
    """A workload's selector is set and matches the labels of its pod template (`selector`)."""

    id = "E8831"
    source = "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
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
