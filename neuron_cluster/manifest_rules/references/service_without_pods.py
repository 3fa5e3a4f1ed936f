"""Services that select no pods."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at, expand, text_pairs
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.kubernetes.selectors import describe, describe_pod_labels
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.manifest_rules.wording import write_one
from neuron_cluster.template_rules.base import Violation


class ServiceWithoutPods(ManifestRule):
    """A Service selects pods of its release, which define its named target ports (`selector`, `targetPort`)."""

    id = "E8843"
    source = "https://kubernetes.io/docs/concepts/services-networking/service/#services-with-selectors"
    kinds = ("Service",)

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        selector = text_pairs(at(obj.body, "spec", "selector"))
        if not selector:
            return
        pods = [pod for pod in release.pods(obj.namespace) if pod.matches(selector)]
        if not pods:
            yield Violation(
                "spec.selector",
                f"{describe(selector)} selects no pods of this release",
                describe_pod_labels(release.pods(obj.namespace)),
            )
            return
        for path, port in expand(obj.body, "spec.ports.*"):
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
