"""A volume of two sources, or of none."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.manifest_rules.manifest_object import numbered
from neuron_cluster.manifest_rules.pod_template import PodTemplate
from neuron_cluster.manifest_rules.render import Render
from neuron_cluster.template_rules.base import Violation
from neuron_cluster.template_rules.property_tree import at


class VolumeSourceCount(PodRule):
    """A volume has exactly one source."""

    id = "E8822"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/"

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Violation]:
        del render
        for path, volume in numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes"):
            sources = sorted(field for field, value in volume.items() if field != "name" and value is not None)
            if len(sources) != 1:
                yield Violation(
                    path,
                    f"the volume {at(volume, 'name')!r} has {len(sources)} sources: {', '.join(sources) or 'none'}",
                    _way(sources),
                )


def _way(sources: list[str]) -> str:
    if sources:
        return f"keep one of {', '.join(sources)}, and remove the others"
    return "write one source, such as emptyDir: {}; emptyDir: without {} is null"
