from __future__ import annotations

import math

from local_kubernetes.model.container_resources import EXTENDED_SOURCE, container_resources, is_extended
from local_kubernetes.model.quantity import quantity
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)


class FractionalExtendedResource(ManifestRule):
    """Requests and limits of extended resources are whole numbers (`resources`)."""

    id = "E8802"
    needs = Needs.POD
    source = EXTENDED_SOURCE

    def check(self, context: ManifestContext) -> Violations:
        for claims in container_resources(context.template):
            for path, name, value in claims.amounts():
                amount = quantity(value)
                if is_extended(name) and amount is not None and amount.denominator != 1:
                    yield Violation(
                        path,
                        f"{value!r} of {name} is not a whole number, which extended resources require",
                        f"write {math.ceil(amount)} or another whole number, the same in requests and limits",
                    )
