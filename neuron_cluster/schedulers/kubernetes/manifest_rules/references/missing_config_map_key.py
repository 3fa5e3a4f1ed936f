from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at, expand
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import PodTemplate
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import write_one

OF_A_VOLUME = (
    ("ConfigMap", "volumes.*.configMap", "name"),
    ("Secret", "volumes.*.secret", "secretName"),
    ("ConfigMap", "volumes.*.projected.sources.*.configMap", "name"),
    ("Secret", "volumes.*.projected.sources.*.secret", "name"),
)


class MissingConfigMapKey(ManifestRule):
    """A key that a pod references exists in the ConfigMap or Secret (`configMapKeyRef`, `secretKeyRef`)."""

    id = "E8841"
    needs = Needs.POD
    source = (
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/#restrictions "
        "(a pod that refers to a key that does not exist does not start)"
    )

    def check(self, context: ManifestContext) -> Violations:
        for kind, name, path, reference in _references(context.template):
            held = context.release.find(kind, context.template.owner.namespace, name)
            key = at(reference, "key")
            if held is not None and at(reference, "optional") is not True and key not in _keys(held):
                there = sorted(_keys(held))
                message = f"{held.place} has no key {key!r}; it has {', '.join(there) or 'none'}"
                yield Violation(f"{path}.key", message, write_one(there, f"add {key} to {held.place}"))


def _references(template: PodTemplate) -> Iterator[tuple[str, str, str, Any]]:
    """Kind, name, path and reference, which has ``key`` and may have ``optional``."""
    for container in template.containers:
        for kind, field in (("ConfigMap", "configMapKeyRef"), ("Secret", "secretKeyRef")):
            for path, reference in expand(container.body, f"env.*.valueFrom.{field}", container.path):
                yield kind, at(reference, "name"), path, reference
    for kind, place, field in OF_A_VOLUME:
        for path, volume in expand(template.spec, place, template.spec_path):
            for item_path, item in expand(volume, "items.*", path):
                yield kind, at(volume, field), item_path, {"key": at(item, "key"), "optional": at(volume, "optional")}


def _keys(held: KubernetesObject) -> set[str]:
    maps = [at(held.body, field) for field in ("data", "binaryData", "stringData")]
    return {key for held_map in maps if isinstance(held_map, Mapping) for key in held_map}
