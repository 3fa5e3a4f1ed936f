"""A mount of a volume that the pod does not have."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.expand import expand
from neuron_cluster.manifest_law.manifest_object import numbered
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal
from neuron_cluster.template_law.property_tree import at


class MountWithoutVolume(PodLaw):
    """What a container mounts is a volume of its pod. A volume that nobody mounts is fine."""

    id = "E8821"
    source = "https://kubernetes.io/docs/concepts/storage/volumes/ (volumeMounts name volumes of the pod)"

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]:
        del render
        volumes = {name for _, name in expand(template.spec, "volumes.*.name")}
        if template.owner.kind == "StatefulSet":
            volumes |= {name for _, name in expand(template.owner.body, "spec.volumeClaimTemplates.*.metadata.name")}
        for container in template.containers:
            for field in ("volumeMounts", "volumeDevices"):
                for path, mount in numbered(container.body.get(field), f"{container.path}.{field}"):
                    if at(mount, "name") not in volumes:
                        there_are = ", ".join(sorted(volumes)) or "none"
                        yield Refusal(
                            f"{path}.name",
                            f"the pod has no volume {at(mount, 'name')!r}; it has {there_are}",
                            "add the volume, or mount one that there is",
                        )
