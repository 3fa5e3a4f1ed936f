"""HorizontalPodAutoscalers whose minReplicas exceeds maxReplicas."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at, whole_number
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation

DEFAULT_MIN_REPLICAS = 1


class MinReplicasAboveMax(ManifestRule):
    """A HorizontalPodAutoscaler's `minReplicas` does not exceed its `maxReplicas`."""

    id = "E8835"
    source = (
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/ "
        "(maxReplicas cannot be less than minReplicas, which is 1 by default)"
    )
    kinds = ("HorizontalPodAutoscaler",)

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        del release
        said = whole_number(at(obj.body, "spec", "minReplicas"))
        least, most = (
            DEFAULT_MIN_REPLICAS if said is None else said,
            whole_number(at(obj.body, "spec", "maxReplicas")),
        )
        if most is not None and least > most:
            message = f"maxReplicas {most} is less than minReplicas {least}{' (the default)' if said is None else ''}"
            lower = f", or minReplicas: {most} or less" if said is not None else ""
            yield Violation("spec.maxReplicas", message, f"write {least} or more{lower}")
