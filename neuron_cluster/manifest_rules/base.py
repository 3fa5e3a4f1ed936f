"""The base classes of manifest rules: one file and one class for what Kubernetes rejects or this toolkit forbids.

Rules are discovered in this package; there is no list to extend. ``tests/fixtures/manifest_rules/<id>.yaml`` has the
objects that violate each rule, the edits that its hint requests, and objects that do not violate it.
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
    """Checks one object; the other objects of its release are available."""

    id: ClassVar[str]
    """``E88`` and two digits."""
    source: ClassVar[str]
    """The documentation of the fact behind the rule."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds that the rule checks; empty for every kind."""

    @abc.abstractmethod
    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]: ...


class PodRule(ManifestRule):
    """Checks every pod template, of any kind of workload."""

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        for template in release.templates_of(obj):
            yield from self.check_pod(template, release)

    @abc.abstractmethod
    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]: ...
