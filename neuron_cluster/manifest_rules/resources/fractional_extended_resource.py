"""Fractional extended resources."""

from __future__ import annotations

import math
from collections.abc import Iterator

from neuron_cluster.kubernetes.container_resources import EXTENDED_SOURCE, container_resources, is_extended
from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.quantity import quantity
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation


class FractionalExtendedResource(PodRule):
    """Requests and limits of extended resources are whole numbers (`resources`)."""

    id = "E8802"
    source = EXTENDED_SOURCE

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for claims in container_resources(template):
            for path, name, value in claims.amounts():
                amount = quantity(value)
                if is_extended(name) and amount is not None and amount.denominator != 1:
                    yield Violation(
                        path,
                        f"{value!r} of {name} is not a whole number, which extended resources require",
                        f"write {math.ceil(amount)} or another whole number, the same in requests and limits",
                    )
