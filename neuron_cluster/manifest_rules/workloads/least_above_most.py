"""Autoscalers whose least number of pods is above their most."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at, whole_number
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation

USUAL_LEAST = 1
"""Where ``minReplicas`` says nothing."""


class LeastAboveMost(ManifestRule):
    """A HorizontalPodAutoscaler's least number of pods is not above its most."""

    id = "E8835"
    source = (
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/ "
        "(maxReplicas cannot be less than minReplicas, which is 1 by default)"
    )
    kinds = ("HorizontalPodAutoscaler",)

    def check(self, judged: KubernetesObject, release: Release) -> Iterator[Violation]:
        del release
        said = whole_number(at(judged.body, "spec", "minReplicas"))
        least, most = USUAL_LEAST if said is None else said, whole_number(at(judged.body, "spec", "maxReplicas"))
        if most is not None and least > most:
            message = f"minReplicas is {least}{' by default' if said is None else ''}, and maxReplicas {most}"
            lower = f", or minReplicas: {most} or less" if said is not None else ""
            yield Violation("spec.maxReplicas", message, f"write {least} or more{lower}")
