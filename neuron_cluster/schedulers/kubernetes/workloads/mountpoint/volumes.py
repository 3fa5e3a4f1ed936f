"""Mounts of user manifests that write through Mountpoint for S3, and what their containers show of the program."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.fields import items, text
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_templates import Container, PodTemplate, pod_templates
from neuron_cluster.schedulers.kubernetes.software.dataset_volumes import DRIVER
from neuron_cluster.schedulers.kubernetes.workloads.program_settings import IS_FOR_CHECKPOINTS, program_settings

NAMESPACE = "default"
"""The namespace of objects that name none, as for their pods."""
CLAIM, VOLUME, READ_ONLY, PREFIX = "PersistentVolumeClaim", "PersistentVolume", "read-only", "prefix"

Manifests = Sequence[tuple[str, Sequence[Mapping[str, Any]]]]
"""The objects of each source."""


class MountpointVolume(Struct, frozen=True, dict=True):
    """A PersistentVolume of the Mountpoint driver. ``source`` is the file that has it."""

    source: str
    owner: KubernetesObject

    @functools.cached_property
    def options(self) -> Mapping[str, str]:
        """Value of each mount option by its name without hyphens in front; empty for one without a value."""
        options = filter(None, map(text, items(value_at(self.owner.body, "spec.mountOptions"))))
        pairs = [each.strip().removeprefix("--").replace("=", " ", 1).partition(" ") for each in options]
        return {name: value.strip() for name, _, value in pairs}


class WrittenMount(Struct, frozen=True, dict=True):
    """A mount without ``readOnly`` of such a volume. ``source`` is the file with the pods."""

    source: str
    volume: MountpointVolume
    template: PodTemplate
    container: Container
    path: str

    @functools.cached_property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Name and value of arguments and variables."""
        lists = [*items(value_at(self.container.body, "command")), *items(value_at(self.container.body, "args"))]
        words = [word for each in lists if isinstance(each, str) for word in each.split()]
        return tuple(program_settings(words, items(value_at(self.container.body, "env"))))

    @functools.cached_property
    def text(self) -> str:
        """Image, arguments and variables as one text."""
        return " ".join([str(value_at(self.container.body, "image")), *(" ".join(each) for each in self.settings)])

    @property
    def has_checkpoints(self) -> bool:
        """Whether a setting for checkpoints has a path in the mount, or the path or prefix is named after them."""
        prefix = self.volume.options.get(PREFIX, "")
        return any(IS_FOR_CHECKPOINTS.search(each) for each in (self.path, prefix)) or any(
            IS_FOR_CHECKPOINTS.search(name) and f"{value}/".startswith(f"{self.path.rstrip('/')}/")
            for name, value in self.settings
        )


def written_mounts(manifests: Manifests) -> Iterator[WrittenMount]:
    """Yields the mounts of pods whose claim and volume are among the objects: others may have any options."""
    owners = [
        (source, KubernetesObject(body, text(value_at(body, "metadata.namespace")) or NAMESPACE))
        for source, objects in manifests
        for body in objects
    ]
    volumes = dict(_volumes(owners))
    for source, owner in owners:
        for template in pod_templates(owner):
            yield from _of_pod(source, owner.namespace, template, volumes)


def _volumes(owners: Sequence[tuple[str, KubernetesObject]]) -> Iterator[tuple[tuple[str, str], MountpointVolume]]:
    """Each by namespace and name of its claim."""
    claims = [each for _, each in owners if each.kind == CLAIM]
    named = {str(value_at(each.body, "spec.volumeName")): (each.namespace, each.name) for each in claims}
    for source, owner in owners:
        if owner.kind == VOLUME and value_at(owner.body, "spec.csi.driver") == DRIVER:
            volume = MountpointVolume(source, owner)
            reference = value_at(owner.body, "spec.claimRef")
            claim = (str(value_at(reference, "namespace")), str(value_at(reference, "name"))) if reference else None
            if (claim or named.get(owner.name)) and READ_ONLY not in volume.options:
                yield claim or named[owner.name], volume


def _of_pod(
    source: str, namespace: str, template: PodTemplate, volumes: Mapping[tuple[str, str], MountpointVolume]
) -> Iterator[WrittenMount]:
    by_name = {}
    for each in items(value_at(template.spec, "volumes")):
        volume = volumes.get((namespace, str(value_at(each, "persistentVolumeClaim.claimName"))))
        if volume is not None and value_at(each, "persistentVolumeClaim.readOnly") is not True:
            by_name[str(value_at(each, "name"))] = volume
    for container in template.containers:
        for mount in items(value_at(container.body, "volumeMounts")):
            volume, path = by_name.get(str(value_at(mount, "name"))), text(value_at(mount, "mountPath"))
            if volume is not None and path and value_at(mount, "readOnly") is not True:
                yield WrittenMount(source, volume, template, container, path)
