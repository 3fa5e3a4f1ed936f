from __future__ import annotations

from local_kubernetes.model.fields import every_value
from local_kubernetes.model.pod_templates import TEMPLATE_PLACES
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

PORT_FIELDS = ("containerPort", "hostPort", "port", "targetPort", "endPort")
KINDS_WITH_PORTS = ("Service", "NetworkPolicy", "Ingress", "HTTPRoute")
HIGHEST = 65535


class PortOutOfRange(ManifestRule):
    """Port numbers are from 1 to 65535 (`containerPort`, `port`, `targetPort`)."""

    id = "E8824"
    source = "https://kubernetes.io/docs/reference/kubernetes-api/service-resources/service-v1/ (0 < x < 65536)"
    kinds = (*TEMPLATE_PLACES, *KINDS_WITH_PORTS)

    def check(self, context: ManifestContext) -> Violations:
        for path, value in every_value(context.object.body):
            is_number = isinstance(value, int) and not isinstance(value, bool)
            if path.rpartition(".")[2] in PORT_FIELDS and is_number and not 0 < value <= HIGHEST:
                message = f"{value} is not a valid port: 1 to {HIGHEST} are allowed"
                yield Violation(path, message, f"write a port from 1 to {HIGHEST}")
