from __future__ import annotations

import re

from local_kubernetes.model.fields import inside
from local_kubernetes.model.objects import labels_of
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either

DOMAIN = "pod-security.kubernetes.io"
MODES = ("enforce", "audit", "warn")
LEVELS = ("privileged", "baseline", "restricted")
VERSION = re.compile(r"latest|v1\.\d+")


class UnknownPodSecurityLevel(ManifestRule):
    """The Pod Security labels of a Namespace have a valid mode, level and version (`pod-security.kubernetes.io/…`)."""

    id = "E8863"
    source = "https://kubernetes.io/docs/concepts/security/pod-security-admission/ (labels for namespaces)"
    kinds = ("Namespace",)

    def check(self, context: ManifestContext) -> Violations:
        for key, value in labels_of(context.object.body).items():
            domain, _, name = key.partition("/")
            if domain != DOMAIN:
                continue
            mode = name.removesuffix("-version")
            if mode not in MODES:
                yield Violation(
                    "metadata.labels",
                    f"{name!r} is not a valid mode; valid modes are {', '.join(MODES)}",
                    f"write {either(f'{DOMAIN}/{each}' for each in MODES)}",
                )
            elif name == mode and value not in LEVELS:
                message = f"{value!r} is not a valid level; valid levels are {', '.join(LEVELS)}"
                yield Violation(inside("metadata.labels", key), message, f"write {either(LEVELS)}")
            elif name != mode and not VERSION.fullmatch(value):
                yield Violation(
                    inside("metadata.labels", key),
                    f"{value!r} is not a valid version; valid are latest and v1.NUMBER",
                    f"write latest or {'v1.NUMBER' if '.' not in value else f'v{value}'}",
                )
