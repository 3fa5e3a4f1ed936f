"""Pods of user manifests that the Pod Security level of their namespace rejects, and mounted device files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local_kubernetes.model.fields import at, expand, text
from local_kubernetes.model.names import DEFAULT_NAMESPACE
from local_kubernetes.model.objects import KubernetesObject
from local_kubernetes.model.pod_security.control import minor_of
from local_kubernetes.model.pod_templates import pod_templates
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import pod_security_in

CONTROLS = ("E8861", "E8862")
"""Rules of the levels baseline and restricted."""
DEVICE_FILES = "W9314"
DEV, SHARED_MEMORY = "/dev", "/dev/shm"  # noqa: S108  compared with
NOT_OF_THE_FILE = "privileged"
"""The level of a namespace that the environment does not create, unless the manifest has it with a label."""


def pod_security_findings(
    manifests: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], cluster: KubernetesPlan
) -> Iterator[Finding]:
    """E8861 and E8862, for each field of pods that the API server rejects, and W9314."""
    for source, objects in manifests:
        namespaces = [body for body in objects if body.get("kind") == "Namespace"]
        for body in objects:
            owner = KubernetesObject(body, text(at(body, "metadata", "namespace")) or DEFAULT_NAMESPACE)
            if body.get("kind") != "Namespace":
                level = pod_security_in(cluster, owner.namespace, otherwise=NOT_OF_THE_FILE)
                made_here = namespaces if level == NOT_OF_THE_FILE else []
                yield from check_manifests(
                    [*made_here, body],
                    source=source,
                    namespace=DEFAULT_NAMESPACE,
                    pod_security=level,
                    minor=minor_of(cluster.version),
                    only=CONTROLS,
                )
            yield from _device_files(source, owner)


def _device_files(source: str, owner: KubernetesObject) -> Iterator[Finding]:
    for template in pod_templates(owner):
        for path, mounted in expand(template.spec, "volumes.*.hostPath.path", template.spec_path):
            folder = str(mounted).rstrip("/")
            if folder == SHARED_MEMORY or not (folder == DEV or folder.startswith(f"{DEV}/")):
                continue
            message = f"the volume is {mounted} of the node: the pod sees the devices of other pods too"
            hint = "leave the volume out: the device plugins mount the devices that the container requests"
            yield Finding(DEVICE_FILES, Location(source, path=f"{owner.place} {path}"), message, hint)
