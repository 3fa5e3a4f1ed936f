"""What a manifest rule is: one file, one class, one thing that Kubernetes refuses late or this toolkit does not allow.

Rules are found by their place in this folder; nothing registers them. ``tests/fixtures/manifest_rules/<id>.yaml`` holds
what each one catches, the edits that its hint asks for, and what it lets pass.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import ClassVar

from neuron_cluster.findings.references import CitesReferences
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.template_rules.base import Violation


class ManifestRule(CitesReferences, abc.ABC):
    """Judges one object, with the others of its release at hand."""

    id: ClassVar[str]
    """``E88`` and two digits."""
    source: ClassVar[str]
    """Where the fact behind the rule can be read."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds that it judges; empty for every kind."""

    @abc.abstractmethod
    def check(self, judged: KubernetesObject, release: Release) -> Iterator[Violation]: ...


class PodRule(ManifestRule):
    """Judges every pod template, in whatever kind it stands."""

    def check(self, judged: KubernetesObject, release: Release) -> Iterator[Violation]:
        for template in release.templates_of(judged):
            yield from self.check_pod(template, release)

    @abc.abstractmethod
    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]: ...
