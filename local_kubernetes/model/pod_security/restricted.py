"""The controls of the level restricted, in addition to those of baseline."""

from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.fields import at, expand, items, numbered
from local_kubernetes.model.pod_security.control import (
    RejectedField,
    container_contexts,
    has_user_namespace,
    is_of_windows,
    security_contexts,
)
from local_kubernetes.model.pod_templates import PodTemplate

VOLUME_SOURCES = (
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
)
PROFILES = ("RuntimeDefault", "Localhost")


def rejected_by_restricted(template: PodTemplate) -> Iterator[RejectedField]:
    """The same for every version of the policy from 1.25 on."""
    yield from _volumes(template)
    yield from _not_root(template)
    yield from _unmasked(template)
    if not is_of_windows(template):
        yield from _escalation(template)
        yield from _seccomp(template)
        yield from _capabilities(template)


def _volumes(template: PodTemplate) -> Iterator[RejectedField]:
    for path, volume in numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes"):
        for source in sorted(set(volume) - {"name", "hostPath", *VOLUME_SOURCES}):
            sources = ", ".join(VOLUME_SOURCES)
            yield RejectedField(
                f"{path}.{source}", f"volumes must be one of {sources}", f"remove {source}, and write one of {sources}"
            )


def _not_root(template: PodTemplate) -> Iterator[RejectedField]:
    pod = at(template.spec, "securityContext", "runAsNonRoot")
    for path, context in container_contexts(template):
        value = at(context, "runAsNonRoot")
        if value is False or (value is None and pod is not True):
            yield RejectedField(
                f"{path}.runAsNonRoot",
                "runAsNonRoot must be true for the pod or each container",
                "write runAsNonRoot: true",
            )
    for path, context in security_contexts(template):
        if at(context, "runAsUser") == 0:
            yield RejectedField(
                f"{path}.runAsUser",
                "the user must not be 0",
                "write the id of another user of the image, or remove runAsUser where the image's own user is not root",
            )


def _escalation(template: PodTemplate) -> Iterator[RejectedField]:
    for path, context in container_contexts(template):
        if at(context, "allowPrivilegeEscalation") is not False:
            yield RejectedField(
                f"{path}.allowPrivilegeEscalation",
                "allowPrivilegeEscalation must be false",
                "write allowPrivilegeEscalation: false",
            )


def _unmasked(template: PodTemplate) -> Iterator[RejectedField]:
    """Without a user namespace baseline has the same control."""
    for path, context in container_contexts(template) if has_user_namespace(template) else ():
        if at(context, "procMount") not in (None, "Default"):
            what = f"procMount must be Default, not {at(context, 'procMount')}"
            yield RejectedField(f"{path}.procMount", what, "remove procMount")


def _seccomp(template: PodTemplate) -> Iterator[RejectedField]:
    pod = at(template.spec, "securityContext", "seccompProfile", "type")
    for path, context in container_contexts(template):
        if (at(context, "seccompProfile", "type") or pod) not in (*PROFILES, "Unconfined"):
            what = f"the seccomp profile must be {' or '.join(PROFILES)}"
            yield RejectedField(f"{path}.seccompProfile.type", what, "write RuntimeDefault")


def _capabilities(template: PodTemplate) -> Iterator[RejectedField]:
    for path, context in container_contexts(template):
        if "ALL" not in items(at(context, "capabilities", "drop")):
            yield RejectedField(f"{path}.capabilities.drop", "every capability must be dropped", 'write drop: ["ALL"]')
        for added_path, capability in expand(context, "capabilities.add.*", path):
            if capability != "NET_BIND_SERVICE":
                yield RejectedField(
                    added_path,
                    f"only NET_BIND_SERVICE may be added, not {capability}",
                    f"remove {capability}",
                )
