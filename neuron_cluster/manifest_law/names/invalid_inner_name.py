"""Names of containers, volumes and ports."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.manifest_law.base import PodLaw
from neuron_cluster.manifest_law.dns_names import LABEL_FORM, PORT_NAME_FORM, is_label, is_port_name
from neuron_cluster.manifest_law.manifest_object import numbered
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal
from neuron_cluster.template_law.property_tree import at, text

HINT = "write a name of this form, here and where the name is used"


class InvalidInnerName(PodLaw):
    """Containers and volumes are named by DNS labels, ports by service names."""

    id = "E8813"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/ (Container, Volume, ports)"

    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]:
        del render
        named = [(container.path, container.body) for container in template.containers]
        named += numbered(at(template.spec, "volumes"), f"{template.spec_path}.volumes")
        for path, body in named:
            name = text(at(body, "name")) or ""
            if not is_label(name):
                yield Refusal(f"{path}.name", f"{name!r} is not allowed: {LABEL_FORM}", HINT)
        for container in template.containers:
            for path, port in numbered(container.body.get("ports"), f"{container.path}.ports"):
                port_name = text(at(port, "name"))
                if port_name is not None and not is_port_name(port_name):
                    yield Refusal(f"{path}.name", f"{port_name!r} is not allowed: {PORT_NAME_FORM}", HINT)
