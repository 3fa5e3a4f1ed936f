"""Variables that cannot be set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.manifest_object import numbered
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal
from neuron_cluster.template_law.property_tree import at

NAME = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
"""What every supported version takes; newer ones also take other printable letters except '='."""
SOURCES = ("configMapKeyRef", "fieldRef", "resourceFieldRef", "secretKeyRef", "fileKeyRef")


class InvalidVariable(PodLaw):
    """A variable has a valid name, and a value or one source of it."""

    id = "E8827"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#environment-variables"

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]:
        del render
        for container in template.containers:
            for path, variable in numbered(container.body.get("env"), f"{container.path}.env"):
                name, value, source = (at(variable, field) for field in ("name", "value", "valueFrom"))
                if not NAME.fullmatch(str(name)):
                    hint = "write letters, digits, '-', '_' and '.', the first one no digit"
                    yield Refusal(f"{path}.name", f"{name!r} is no name of a variable", hint)
                if value and source is not None:
                    yield Refusal(path, f"{name} has both value and valueFrom", "remove value or valueFrom")
                if source is not None and len([kind for kind in SOURCES if at(source, kind) is not None]) != 1:
                    hint = f"write one of {', '.join(SOURCES)}, and remove the others"
                    yield Refusal(f"{path}.valueFrom", "it does not name exactly one source", hint)
