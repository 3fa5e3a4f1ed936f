from __future__ import annotations

from local_kubernetes.model.fields import at, expand, numbered
from local_kubernetes.model.pod_templates import PodTemplate
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import write_one


class MountWithoutVolume(ManifestRule):
    """Volume mounts of a container reference volumes of its pod (`volumeMounts`, `volumeDevices`)."""

    id = "E8821"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/concepts/storage/volumes/ (volumeMounts name volumes of the pod)"

    def check(self, context: ManifestContext) -> Violations:
        template = context.template
        volumes = {name for _, name in expand(template.spec, "volumes.*.name")}
        if template.owner.kind == "StatefulSet":
            volumes |= {name for _, name in expand(template.owner.body, "spec.volumeClaimTemplates.*.metadata.name")}
        for container in template.containers:
            for field in ("volumeMounts", "volumeDevices"):
                for path, mount in numbered(container.body.get(field), f"{container.path}.{field}"):
                    if at(mount, "name") not in volumes:
                        name = at(mount, "name")
                        message = f"the pod has no volume {name!r}; it has {', '.join(sorted(volumes)) or 'none'}"
                        yield Violation(f"{path}.name", message, _hint(template, field, str(name), volumes))


def _hint(template: PodTemplate, field: str, name: str, volumes: set[str]) -> str:
    """The hint for a missing volume; a block device requires a PersistentVolumeClaim."""
    places = f"{template.spec_path}.volumes"
    if template.owner.kind == "StatefulSet":
        places += " or spec.volumeClaimTemplates"
    if field == "volumeDevices":
        return f"add {name} with a persistentVolumeClaim to {places}"
    return write_one(sorted(volumes), f"add {name} to {places}")
