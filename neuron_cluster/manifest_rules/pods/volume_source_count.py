"""Volumes with no source or several sources."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at, numbered
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class VolumeSourceCount(PodRule):
    """A volume of a pod has exactly one source (`volumes`)."""

    id = "E8822"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for path, volume in numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes"):
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
