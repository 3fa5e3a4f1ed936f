from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)


class DuplicateObject(ManifestRule):
    """A release has one object for each kind, namespace and name (`metadata.name`)."""

    id = "E8815"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ (names are unique for a kind)"

    def check(self, context: ManifestContext) -> Violations:
        obj, release = context.object, context.release
        identity = (obj.api_group, obj.kind, obj.namespace, obj.name)
        same = [one for one in release.objects if (one.api_group, one.kind, one.namespace, one.name) == identity]
        if len(same) > 1 and same[0] is not obj:
            yield Violation(
                "metadata.name",
                f"duplicate {obj.kind} {obj.name} in this release; the later object replaces the earlier one",
                f"write another metadata.name here and where it is used, or remove one {obj.kind}",
            )
