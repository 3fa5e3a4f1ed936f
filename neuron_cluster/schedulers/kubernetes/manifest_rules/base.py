"""The base of manifest rules: one file and one class for what Kubernetes rejects or this toolkit forbids.

Rules are discovered in this package; there is no list to extend. ``tests/fixtures/manifest_rules/<id>.yaml`` has the
objects that violate each rule, the edits that its hint requests, and objects that do not violate it.
"""

from __future__ import annotations

import abc
import enum
from collections.abc import Iterator
from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType

from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.release import Release
from neuron_cluster.findings.needs import needed
from neuron_cluster.findings.references import CitesReferences


class Violation(Struct, frozen=True):
    """A fault that a rule found. ``manifest_rules.run`` adds the rule's id and the object."""

    path: str
    """Field of the object: ``spec.template.spec.containers[0].image``."""
    message: str
    """The value in the object, and the allowed values."""
    hint: str
    """The edit that mends it; a test applies exactly this."""


Violations = Iterator[Violation]


class Needs(enum.Enum):
    """The subject of a rule."""

    OBJECT = "an object"
    POD = "a pod template, of any kind of workload"


class ManifestContext(Struct, frozen=True, kw_only=True):
    """The input of a rule: an object, and the other objects of its release.

    ``template`` raises ``UndeclaredNeed`` unless the rule's ``needs`` is ``Needs.POD``.
    """

    object: KubernetesObject
    release: Release
    given_template: PodTemplate | UnsetType = UNSET

    @property
    def template(self) -> PodTemplate:
        """The pod template to check, of ``object``."""
        return needed(self.given_template, Needs.POD)


class ManifestRule(CitesReferences, abc.ABC):
    """Base of all rules over Kubernetes objects."""

    id: ClassVar[str]
    """``E88`` and two digits."""
    needs: ClassVar[Needs] = Needs.OBJECT
    source: ClassVar[str]
    """The documentation of the fact behind the rule."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds that the rule checks; empty for every kind."""

    @abc.abstractmethod
    def check(self, context: ManifestContext) -> Violations: ...
