from __future__ import annotations

from local_kubernetes.model.device_claims import CLAIM, SOURCE, TEMPLATE, device_requests
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)


class DeviceRequestWithoutCount(ManifestRule):
    """A device request of a claim sets a whole number of devices or requests all (`count`, `allocationMode`)."""

    id = "E8876"
    source = SOURCE
    kinds = (TEMPLATE, CLAIM)

    def check(self, context: ManifestContext) -> Violations:
        for request in device_requests(context.object):
            path, count = f"{request.path}.count", request.count
            if request.wants_all:
                if count is not None:
                    yield Violation(
                        path,
                        f"is {count!r}; allocationMode All does not allow a count",
                        "remove count, or write allocationMode: ExactCount",
                    )
            elif count is None:
                yield Violation(
                    path,
                    "is not set; Kubernetes then allocates one device",
                    "write count: 1 for one device, or allocationMode: All",
                )
            elif not isinstance(count, int) or isinstance(count, bool) or count < 1:
                yield Violation(
                    path,
                    f"{count!r} is not a valid number of devices: it must be a whole number, 1 or more",
                    "write a whole number, 1 or more, without quotes",
                )
