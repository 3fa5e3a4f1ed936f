"""A field that a control of the Pod Security Standards rejects, and the parts of a pod that controls look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at
from local_kubernetes.model.pod_templates import PodTemplate

SOURCE = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
NEWEST = 99
"""The minor version of a policy that is ``latest``."""
USER_NAMESPACE_SINCE = 35
"""Minor version from which a pod with ``hostUsers: false`` may have an unmasked /proc at the level baseline."""


class RejectedField(Struct, frozen=True):
    """``path`` is that of the field in the object; ``what`` a clause, ``hint`` what to write instead."""

    path: str
    what: str
    hint: str


def minor_of(version: str) -> int:
    """``35`` of Kubernetes ``1.35``."""
    return int(version.split(".")[1])


def security_contexts(template: PodTemplate) -> Iterator[tuple[str, Any]]:
    """Path and body of the pod's security context and of each container's."""
    yield f"{template.spec_path}.securityContext", at(template.spec, "securityContext")
    yield from container_contexts(template)


def container_contexts(template: PodTemplate) -> Iterator[tuple[str, Any]]:
    for container in template.containers:
        yield f"{container.path}.securityContext", at(container.body, "securityContext")


def is_of_windows(template: PodTemplate) -> bool:
    """Whether the pod names Windows as its operating system, which has no Linux capabilities."""
    return bool(at(template.spec, "os", "name") == "windows")


def has_user_namespace(template: PodTemplate) -> bool:
    return at(template.spec, "hostUsers") is False
