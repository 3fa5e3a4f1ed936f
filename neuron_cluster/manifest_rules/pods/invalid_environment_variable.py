"""Invalid environment variables of containers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at, numbered
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation

NAME = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
"""What every supported Kubernetes version accepts; newer ones accept any printable character except '='."""
SOURCES = ("configMapKeyRef", "fieldRef", "resourceFieldRef", "secretKeyRef", "fileKeyRef")


class InvalidEnvironmentVariable(PodRule):
    """An environment variable has a valid name, and either a value or one source (`env`)."""

    id = "E8827"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#environment-variables"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for container in template.containers:
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
