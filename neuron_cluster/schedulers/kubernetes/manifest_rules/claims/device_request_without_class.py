from __future__ import annotations

from local_kubernetes.model.device_claims import CLAIM, SOURCE, TEMPLATE, device_requests
from local_kubernetes.model.names import NEURON_CLASS
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)


class DeviceRequestWithoutClass(ManifestRule):
    """Device requests of a claim set a device class (`deviceClassName`)."""

    id = "E8875"
    source = SOURCE
    kinds = (TEMPLATE, CLAIM)

    def check(self, context: ManifestContext) -> Violations:
        for request in device_requests(context.object):
            if not request.device_class:
                yield Violation(
                    f"{request.path}.deviceClassName",
                    "is not set; the API server rejects the claim",
                    f"write the device class of the driver: {NEURON_CLASS} for Neuron devices",
                )
