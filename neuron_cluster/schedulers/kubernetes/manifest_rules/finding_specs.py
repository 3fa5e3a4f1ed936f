"""The findings of the manifest rules, from their docstrings."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.spec import FindingSpec, docstring_parts
from neuron_cluster.schedulers.kubernetes.manifest_rules.discover import all_manifest_rules

CHAPTER = "88: Kubernetes objects"


def finding_specs() -> Iterator[FindingSpec]:
    """One spec for each manifest rule."""
    for rule in all_manifest_rules():
        title, reason, consequence = docstring_parts(type(rule).__doc__ or "")
        yield FindingSpec(
            rule.id,
            CHAPTER,
            "the objects that a chart renders",
            title,
            reason,
            consequence,
            rule.source,
            references=rule.references,
        )
