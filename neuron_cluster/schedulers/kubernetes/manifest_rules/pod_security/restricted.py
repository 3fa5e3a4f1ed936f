from __future__ import annotations

from local_kubernetes.model.fields import at, expand, items, numbered
from local_kubernetes.model.pod_templates import PodTemplate
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.pod_security.security_contexts import (
    SOURCE,
    container_contexts,
    security_contexts,
)

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


class PodSecurityRestricted(ManifestRule):
    """Pods in a namespace with Pod Security level restricted meet its six controls beyond baseline."""

    id = "E8862"
    needs = Needs.POD
    source = f"{SOURCE}#restricted"

    def check(self, context: ManifestContext) -> Violations:
        if context.release.pod_security(context.template.owner.namespace) == "restricted":
            yield from _volumes(context.template)
            yield from _not_root(context.template)
            yield from _seccomp(context.template)
            yield from _capabilities(context.template)


def _volumes(template: PodTemplate) -> Violations:
    for path, volume in numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes"):
        for source in sorted(set(volume) - {"name", "hostPath", *VOLUME_SOURCES}):
            sources = ", ".join(VOLUME_SOURCES)
            yield _required(
                f"{path}.{source}", f"volumes must be one of {sources}", f"remove {source}, and write one of {sources}"
            )


def _not_root(template: PodTemplate) -> Violations:
    pod = at(template.spec, "securityContext", "runAsNonRoot")
    for path, context in container_contexts(template):
        value = at(context, "runAsNonRoot")
        if value is False or (value is None and pod is not True):
            yield _required(
                f"{path}.runAsNonRoot",
                "runAsNonRoot must be true for the pod or each container",
                "write runAsNonRoot: true",
            )
        if at(context, "allowPrivilegeEscalation") is not False:
            yield _required(
                f"{path}.allowPrivilegeEscalation",
                "allowPrivilegeEscalation must be false",
                "write allowPrivilegeEscalation: false",
            )
    for path, context in security_contexts(template):
        if at(context, "runAsUser") == 0:
            yield _required(
                f"{path}.runAsUser",
                "the user must not be 0",
                "write the id of another user of the image, or remove runAsUser where the image's own user is not root",
            )


def _seccomp(template: PodTemplate) -> Violations:
    pod = at(template.spec, "securityContext", "seccompProfile", "type")
    for path, context in container_contexts(template):
        if (at(context, "seccompProfile", "type") or pod) not in (*PROFILES, "Unconfined"):
            what = f"the seccomp profile must be {' or '.join(PROFILES)}"
            yield _required(f"{path}.seccompProfile.type", what, "write RuntimeDefault")


def _capabilities(template: PodTemplate) -> Violations:
    for path, context in container_contexts(template):
        if "ALL" not in items(at(context, "capabilities", "drop")):
            yield _required(f"{path}.capabilities.drop", "every capability must be dropped", 'write drop: ["ALL"]')
        for added_path, capability in expand(context, "capabilities.add.*", path):
            if capability != "NET_BIND_SERVICE":
                yield _required(
                    added_path,
                    f"only NET_BIND_SERVICE may be added, not {capability}",
                    f"remove {capability}",
                )


def _required(path: str, what: str, hint: str) -> Violation:
    return Violation(path, f"the namespace's Pod Security level is restricted: {what}", hint)
