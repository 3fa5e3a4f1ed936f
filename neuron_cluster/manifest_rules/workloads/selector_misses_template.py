"""A workload whose selector does not take its own pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.kubernetes.fields import at
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.kubernetes.selectors import in_words, selects
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class SelectorMissesTemplate(PodRule):
    """A workload's selector says something, and takes the pods of its own template."""

    id = "E8831"
    source = "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        if template.owner.kind not in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"):
            return
        selector = at(template.owner.body, "spec", "selector") or {}
        if not (at(selector, "matchLabels") or at(selector, "matchExpressions")):
            yield Violation("spec.selector", "it selects nothing", _way(selector, template))
        elif not selects(selector, template):
            yield Violation(
                "spec.selector",
                f"{in_words(selector)} does not select the template's own pods, which have {in_words(template.labels)}",
                _way(selector, template),
            )


def _way(selector: Any, template: PodTemplate) -> str:
    if not template.labels:
        return f"write {in_words(selector)} in {template.path}.metadata.labels"
    return f"write matchLabels with labels of the template: {in_words(template.labels)}"
