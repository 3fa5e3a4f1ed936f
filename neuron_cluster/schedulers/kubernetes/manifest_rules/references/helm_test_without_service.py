from __future__ import annotations

import re

from local_kubernetes.model.fields import at, every_value, expand
from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.release import Release
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either

ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<service>[a-z0-9-]+)(\.(?P<namespace>[a-z0-9-]+)(\.svc(\.cluster\.local)?)?)?"
    r"(:(?P<port>\d+))?(?![\w.:-])"
)
DEFAULT_PORTS = {"http": "80", "https": "443"}
OF_THIS_POD = ("localhost", "127")


class HelmTestWithoutService(ManifestRule):
    """The addresses in a helm test are Services of the release with their ports (`helm.sh/hook`)."""

    id = "E8847"
    needs = Needs.POD
    source = "https://helm.sh/docs/topics/chart_tests/"

    def check(self, context: ManifestContext) -> Violations:
        if not context.template.owner.hooks & {"test", "test-success"}:
            return
        for container in context.template.containers:
            for path, value in every_value(container.body, container.path):
                for address in ADDRESS.finditer(value) if isinstance(value, str) else ():
                    if address["service"] not in OF_THIS_POD:
                        yield from _violations(path, address, context.template, context.release)


def _violations(path: str, address: re.Match[str], template: PodTemplate, release: Release) -> Violations:
    namespace = address["namespace"] or template.owner.namespace
    if namespace != template.owner.namespace and namespace not in release.namespaces:
        return  # a public host name: two parts, the second not a namespace
    service = release.find("Service", namespace, address["service"])
    if service is None:
        yield Violation(
            path,
            f"{address[0]} is not a Service of this release",
            _hint(release),
        )
        return
    port = address["port"] or DEFAULT_PORTS[address["scheme"]]
    ports = [str(at(one, "port")) for _, one in expand(service.body, "spec.ports.*")]
    if port not in ports:
        yield Violation(
            path,
            f"{service.place} has no port {port}; it has {', '.join(ports)}",
            f"write one of its ports: {', '.join(ports)}",
        )


def _hint(release: Release) -> str:
    ports = [
        (one, at(port, "port")) for one in release.of_kind("Service") for _, port in expand(one.body, "spec.ports.*")
    ]
    there = either(f"{one.name}:{port}" for one, port in ports)
    return (
        f"write the name and port of a Service of this release: {there}" if there else "add the Service to the release"
    )
