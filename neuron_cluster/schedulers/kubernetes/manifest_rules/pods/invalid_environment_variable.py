from __future__ import annotations

import re

from local_kubernetes.model.fields import at, numbered
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

NAME = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
"""Names that every supported Kubernetes version accepts; newer ones accept any printable character except '='."""
SOURCES = ("configMapKeyRef", "fieldRef", "resourceFieldRef", "secretKeyRef", "fileKeyRef")


class InvalidEnvironmentVariable(ManifestRule):
    """An environment variable has a valid name, and either a value or one source (`env`)."""

    id = "E8827"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#environment-variables"

    def check(self, context: ManifestContext) -> Violations:
        for container in context.template.containers:
            for path, variable in numbered(container.body.get("env"), f"{container.path}.env"):
                name, value, source = (at(variable, field) for field in ("name", "value", "valueFrom"))
                if not NAME.fullmatch(str(name)):
                    hint = "write letters, digits, '-', '_' and '.', the first one not a digit"
                    yield Violation(f"{path}.name", f"{name!r} is not a valid name of an environment variable", hint)
                if value and source is not None:
                    yield Violation(path, f"{name} sets both value and valueFrom", "remove value or valueFrom")
                if source is not None and len([kind for kind in SOURCES if at(source, kind) is not None]) != 1:
                    hint = f"write one of {', '.join(SOURCES)}, and remove the others"
                    yield Violation(f"{path}.valueFrom", "does not set exactly one source", hint)
