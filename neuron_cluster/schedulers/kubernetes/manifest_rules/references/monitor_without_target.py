from __future__ import annotations

from local_kubernetes.model.fields import at, expand, text_pairs
from local_kubernetes.model.objects import KubernetesObject, labels_of
from local_kubernetes.model.selectors import describe, describe_pod_labels, selects
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import either


class MonitorWithoutTarget(ManifestRule):
    """A ServiceMonitor or PodMonitor selects a Service or pods of the release, with its port (`selector`, `port`)."""

    id = "E8844"
    source = (
        "https://prometheus-operator.dev/docs/developer/getting-started/#using-servicemonitors "
        "(the port is the name of a port of the Service, not of the pod)"
    )
    kinds = ("ServiceMonitor", "PodMonitor")

    def check(self, context: ManifestContext) -> Violations:
        obj = context.object
        if at(obj.body, "spec", "namespaceSelector") is not None:
            return
        selector = at(obj.body, "spec", "selector")
        if obj.kind == "ServiceMonitor":
            wanted = text_pairs(at(selector, "matchLabels")).items()
            services = [one for one in context.release.of_kind("Service") if one.namespace == obj.namespace]
            way = _labels_of_services(services)
            found = [one.body for one in services if wanted <= labels_of(one.body).items()]
            field, ports = "endpoints", [name for body in found for _, name in expand(body, "spec.ports.*.name")]
        else:
            pods = [pod for pod in context.release.pods(obj.namespace) if selects(selector, pod)]
            way = describe_pod_labels(context.release.pods(obj.namespace))
            found = [dict(pod.body) for pod in pods]
            field = "podMetricsEndpoints"
            ports = [name for pod in pods for c in pod.containers for _, name in expand(c.body, "ports.*.name")]
        if not found:
            what = "Service" if obj.kind == "ServiceMonitor" else "pods"
            yield Violation("spec.selector", f"{describe(selector)} selects no {what} of this release", way)
            return
        for path, port in expand(obj.body, f"spec.{field}.*.port"):
            if port not in ports:
                message = f"the target has no port named {port!r}; it has {', '.join(ports) or 'none'}"
                hint = f"write {either(dict.fromkeys(ports))}" if ports else f"add a port named {port}"
                yield Violation(path, message, hint)


def _labels_of_services(services: list[KubernetesObject]) -> str:
    found = dict.fromkeys(describe(labels) for one in services if (labels := labels_of(one.body)))
    return f"write labels of a Service: {'; or '.join(found)}" if found else "add labels to metadata of the Service"
