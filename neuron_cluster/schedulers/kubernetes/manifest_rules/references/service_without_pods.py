from __future__ import annotations

from collections.abc import Iterator

from local_kubernetes.model.fields import at, expand, text_pairs
from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.selectors import describe, describe_pod_labels
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.wording import write_one


class ServiceWithoutPods(ManifestRule):
    """A Service selects pods of its release, which define its named target ports (`selector`, `targetPort`)."""

    id = "E8843"
    source = "https://kubernetes.io/docs/concepts/services-networking/service/#services-with-selectors"
    kinds = ("Service",)

    def check(self, context: ManifestContext) -> Violations:
        selector = text_pairs(at(context.object.body, "spec", "selector"))
        if not selector:
            return
        pods = [pod for pod in context.release.pods(context.object.namespace) if pod.matches(selector)]
        if not pods:
            yield Violation(
                "spec.selector",
                f"{describe(selector)} selects no pods of this release",
                describe_pod_labels(context.release.pods(context.object.namespace)),
            )
            return
        for path, port in expand(context.object.body, "spec.ports.*"):
            target = at(port, "targetPort")
            named = sorted(set(_port_names(pods)))
            if isinstance(target, str) and target not in named:
                yield Violation(
                    f"{path}.targetPort",
                    f"the selected pods have no port named {target!r}; they have {', '.join(named) or 'none'}",
                    write_one((*named, "a number"), f"add {target} to ports of the container"),
                )


def _port_names(pods: list[PodTemplate]) -> Iterator[str]:
    for pod in pods:
        for container in pod.containers:
            yield from (name for _, name in expand(container.body, "ports.*.name"))
