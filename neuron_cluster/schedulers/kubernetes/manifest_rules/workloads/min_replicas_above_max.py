from __future__ import annotations

from local_kubernetes.model.fields import at, whole_number
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

DEFAULT_MIN_REPLICAS = 1


class MinReplicasAboveMax(ManifestRule):
    """A HorizontalPodAutoscaler's `minReplicas` does not exceed its `maxReplicas`."""

    id = "E8835"
    source = (
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/ "
        "(maxReplicas cannot be less than minReplicas, which is 1 by default)"
    )
    kinds = ("HorizontalPodAutoscaler",)

    def check(self, context: ManifestContext) -> Violations:
        written = whole_number(at(context.object.body, "spec", "minReplicas"))
        minimum, maximum = (
            DEFAULT_MIN_REPLICAS if written is None else written,
            whole_number(at(context.object.body, "spec", "maxReplicas")),
        )
        if maximum is not None and minimum > maximum:
            message = (
                f"maxReplicas {maximum} is less than minReplicas {minimum}{' (the default)' if written is None else ''}"
            )
            lower = f", or minReplicas: {maximum} or less" if written is not None else ""
            yield Violation("spec.maxReplicas", message, f"write {minimum} or more{lower}")
