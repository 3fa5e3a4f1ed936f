"""A volume of two sources, or of none."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.manifest_object import numbered
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal
from neuron_cluster.template_law.property_tree import at


class VolumeSourceCount(PodLaw):
    """A volume has exactly one source."""

    id = "E8822"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/"

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]:
        del render
        for path, volume in numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes"):
            sources = sorted(field for field, value in volume.items() if field != "name" and value is not None)
            if len(sources) != 1:
                yield Refusal(
                    path,
                    f"the volume {at(volume, 'name')!r} has {len(sources)} sources: {', '.join(sources) or 'none'}",
                    _way(sources),
                )


def _way(sources: list[str]) -> str:
    if sources:
        return f"keep one of {', '.join(sources)}, and remove the others"
    return "write one source, such as emptyDir: {}; emptyDir: without {} is null"
