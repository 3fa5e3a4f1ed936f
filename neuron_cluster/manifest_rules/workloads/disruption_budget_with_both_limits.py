"""PodDisruptionBudgets with both minAvailable and maxUnavailable."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.fields import at
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation


class DisruptionBudgetWithBothLimits(ManifestRule):
    """A PodDisruptionBudget sets `minAvailable` or `maxUnavailable`, not both."""

    id = "E8836"
    source = (
        "https://kubernetes.io/docs/tasks/run-application/configure-pdb/ "
        "(you can specify only one of maxUnavailable and minAvailable)"
    )
    kinds = ("PodDisruptionBudget",)

    def check(self, obj: KubernetesObject, release: Release) -> Iterator[Violation]:
        del release
        limits = [at(obj.body, "spec", field) for field in ("minAvailable", "maxUnavailable")]
        if None not in limits:
            message = (
                f"minAvailable is {limits[0]} and maxUnavailable {limits[1]}: the API server accepts only one of them"
            )
            yield Violation("spec.maxUnavailable", message, "remove minAvailable or maxUnavailable")
