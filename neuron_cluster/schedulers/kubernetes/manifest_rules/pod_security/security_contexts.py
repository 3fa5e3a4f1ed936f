"""The security contexts of a pod, which both levels check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from local_kubernetes.model.fields import at
from local_kubernetes.model.pod_templates import PodTemplate

SOURCE = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"


def security_contexts(template: PodTemplate) -> Iterator[tuple[str, Any]]:
    """Path and body of the pod's security context and of each container's."""
    yield f"{template.spec_path}.securityContext", at(template.spec, "securityContext")
    yield from container_contexts(template)


def container_contexts(template: PodTemplate) -> Iterator[tuple[str, Any]]:
    for container in template.containers:
        yield f"{container.path}.securityContext", at(container.body, "securityContext")
