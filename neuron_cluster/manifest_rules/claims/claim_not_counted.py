"""Requests for no whole number of devices."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.device_claims import CLAIM, SOURCE, TEMPLATE, device_requests
from neuron_cluster.kubernetes.objects import KubernetesObject
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import ManifestRule
from neuron_cluster.template_rules.base import Violation


class ClaimNotCounted(ManifestRule):
    """A request of a claim says how many whole devices it wants, or wants all of them."""

    id = "E8876"
    source = SOURCE
    kinds = (TEMPLATE, CLAIM)

    def check(self, judged: KubernetesObject, release: Release) -> Iterator[Violation]:
        del release
        for request in device_requests(judged):
            path, count = f"{request.path}.count", request.count
            if request.wants_all:
                if count is not None:
                    yield Violation(
                        path,
                        f"allocationMode All takes no count, and {count!r} is given",
                        "remove count, or write allocationMode: ExactCount",
                    )
            elif count is None:
                yield Violation(
                    path,
                    "no count is given: Kubernetes reads that as one device, whatever the node has",
                    "write count: 1 for one device, or allocationMode: All",
                )
            elif not isinstance(count, int) or isinstance(count, bool) or count < 1:
                yield Violation(
                    path,
                    f"{count!r} is no whole number of devices from 1",
                    "write a whole number, 1 or more, without quotes",
                )
