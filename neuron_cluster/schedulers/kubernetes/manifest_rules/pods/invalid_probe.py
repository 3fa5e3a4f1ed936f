from __future__ import annotations

from typing import Any

from local_kubernetes.model.fields import at, expand, whole_number
from local_kubernetes.model.pod_templates import Container
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either, write_one

PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
AT_LEAST_ONE = ("periodSeconds", "timeoutSeconds", "successThreshold", "failureThreshold")
ACTIONS = ("exec", "grpc", "httpGet", "tcpSocket")


class InvalidProbe(ManifestRule):
    """A probe has one action, a port that the container defines, and valid thresholds (`livenessProbe` and others)."""

    id = "E8826"
    needs = Needs.POD
    source = (
        "https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/; "
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"
        "#configure-probes"
    )

    def check(self, context: ManifestContext) -> Violations:
        for container in context.template.containers:
            for name in PROBES:
                if name in container.body:
                    yield from _probe(container, name)


def _probe(container: Container, name: str) -> Violations:
    probe: Any = container.body[name]
    path = f"{container.path}.{name}"
    if container.place == "initContainers" and container.body.get("restartPolicy") != "Always":
        yield Violation(
            path,
            "is set for an init container, which allows probes only with restartPolicy Always",
            "remove the probe, or write restartPolicy: Always",
        )
    actions = [action for action in ACTIONS if at(probe, action) is not None]
    if len(actions) != 1:
        hint = f"keep one of {', '.join(actions)}, and remove the others" if actions else f"write {either(ACTIONS)}"
        yield Violation(path, f"has the actions {', '.join(actions) or 'none'}; exactly one is required", hint)
    for field in AT_LEAST_ONE:
        number = whole_number(at(probe, field))
        if number is not None and number < 1:
            yield Violation(f"{path}.{field}", f"{number} is less than 1", "write 1 or more")
    if name != "readinessProbe" and at(probe, "successThreshold") not in (None, 1):
        message = f"must be 1 for a {name}"
        yield Violation(f"{path}.successThreshold", message, "write 1, or remove successThreshold")
    ports = {port for _, port in expand(container.body, "ports.*.name")}
    for action in ("httpGet", "tcpSocket"):
        port = at(probe, action, "port")
        if isinstance(port, str) and port not in ports:
            yield Violation(
                f"{path}.{action}.port",
                f"the container has no port named {port!r}; it has {', '.join(sorted(ports)) or 'none'}",
                write_one((*sorted(ports), "a number"), f"add {port} to ports of the container"),
            )
