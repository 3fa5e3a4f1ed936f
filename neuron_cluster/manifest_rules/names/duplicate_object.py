"""Objects with the same kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation


class DuplicateObject(ManifestRule):
    """A release has one object for each kind, namespace and name (`metadata.name`)."""

    id = "E8815"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ (names are unique for a kind)"

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        identity = (obj.api_group, obj.kind, obj.namespace, obj.name)
        same = [one for one in release.objects if (one.api_group, one.kind, one.namespace, one.name) == identity]
        if len(same) > 1 and same[0] is not obj:
            yield Violation(
                "metadata.name",
                f"duplicate {obj.kind} {obj.name} in this release; the later object replaces the earlier one",
                f"write another metadata.name here and where it is used, or remove one {obj.kind}",
            )
