from __future__ import annotations

from collections.abc import Mapping

from local_kubernetes.model.disruption_budget import MAX_UNAVAILABLE, given_limits, read_limit
from local_kubernetes.model.fields import at
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)


class InvalidDisruptionBudget(ManifestRule):
    """A PodDisruptionBudget sets `minAvailable` or `maxUnavailable`, not both, to a number or percentage of pods."""

    id = "E8836"
    source = (
        "https://kubernetes.io/docs/tasks/run-application/configure-pdb/ "
        "(you can specify only one of maxUnavailable and minAvailable); "
        "https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/policy/validation/validation.go"
    )
    kinds = ("PodDisruptionBudget",)

    def check(self, context: ManifestContext) -> Violations:
        limits = given_limits(context.object.body)
        for key, given in limits.items():
            if read_limit(key, given) is None:
                message = f"is {given!r}, and must be an integer of at least 0 or a percentage of 0% to 100%"
                yield Violation(
                    f"spec.{key}", message, 'write a number of pods, such as 1, or a percentage, such as "50%"'
                )
        if len(limits) > 1:
            both = " and ".join(f"{key} is {given}" for key, given in limits.items())
            message = f"{both}: the API server accepts only one of them"
            yield Violation(f"spec.{MAX_UNAVAILABLE}", message, "remove minAvailable or maxUnavailable")
        for path in (("spec",), ("spec", "selector")):
            given = at(context.object.body, *path)
            if given is not None and not isinstance(given, Mapping):
                yield Violation(
                    ".".join(path),
                    f"is {given!r}, and must be a map",
                    "write the labels of the pods under spec.selector.matchLabels",
                )
