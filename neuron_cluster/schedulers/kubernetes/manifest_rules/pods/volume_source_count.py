from __future__ import annotations

from local_kubernetes.model.fields import at, numbered
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class VolumeSourceCount(ManifestRule):
    """A volume of a pod has exactly one source (`volumes`)."""

    id = "E8822"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/"

    def check(self, context: ManifestContext) -> Violations:
        for path, volume in numbered(at(context.template.spec, "volumes"), f"{context.template.spec_path}.volumes"):
            sources = sorted(field for field, value in volume.items() if field != "name" and value is not None)
            if len(sources) != 1:
                yield Violation(
                    path,
                    f"the volume {at(volume, 'name')!r} has {len(sources)} sources: {', '.join(sources) or 'none'}",
                    _hint(sources),
                )


def _hint(sources: list[str]) -> str:
    if sources:
        return f"keep one of {', '.join(sources)}, and remove the others"
    return "write one source, such as emptyDir: {}; emptyDir: without {} is null"
