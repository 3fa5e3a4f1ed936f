from __future__ import annotations

from local_kubernetes.model.dns_names import LABEL_FORM, PORT_NAME_FORM, is_label, is_port_name
from local_kubernetes.model.fields import at, numbered, text
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

HINT = "write a name of this form, here and where the name is used"


class InvalidNameInPod(ManifestRule):
    """Names of containers and volumes are DNS labels, those of ports IANA service names (`name`)."""

    id = "E8813"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/ (Container, Volume, ports)"

    def check(self, context: ManifestContext) -> Violations:
        named = [(container.path, container.body) for container in context.template.containers]
        named += numbered(at(context.template.spec, "volumes"), f"{context.template.spec_path}.volumes")
        for path, body in named:
            name = text(at(body, "name")) or ""
            if not is_label(name):
                yield Violation(f"{path}.name", f"{name!r} is not a valid name: {LABEL_FORM}", HINT)
        for container in context.template.containers:
            for path, port in numbered(container.body.get("ports"), f"{container.path}.ports"):
                port_name = text(at(port, "name"))
                if port_name is not None and not is_port_name(port_name):
                    yield Violation(f"{path}.name", f"{port_name!r} is not a valid port name: {PORT_NAME_FORM}", HINT)
