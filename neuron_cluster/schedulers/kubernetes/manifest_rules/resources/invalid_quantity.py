from __future__ import annotations

from local_kubernetes.model.fields import expand
from local_kubernetes.model.quantity import SOURCE, quantity
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Violation,
    Violations,
)

IN_A_POD = (
    "*.resources.requests.*",
    "*.resources.limits.*",
)
IN_A_POD_SPEC = (
    *(f"{place}.{path}" for place in ("initContainers", "containers", "ephemeralContainers") for path in IN_A_POD),
    "resources.requests.*",
    "resources.limits.*",
    "overhead.*",
    "volumes.*.emptyDir.sizeLimit",
    "volumes.*.ephemeral.volumeClaimTemplate.spec.resources.requests.*",
)
IN_AN_OBJECT = {
    "PersistentVolumeClaim": ("spec.resources.requests.*", "spec.resources.limits.*"),
    "PersistentVolume": ("spec.capacity.*",),
    "StatefulSet": ("spec.volumeClaimTemplates.*.spec.resources.requests.*",),
    "ResourceQuota": ("spec.hard.*",),
    "LimitRange": tuple(f"spec.limits.*.{name}.*" for name in ("max", "min", "default", "defaultRequest")),
    "ClusterQueue": tuple(
        f"spec.resourceGroups.*.flavors.*.resources.*.{name}"
        for name in ("nominalQuota", "borrowingLimit", "lendingLimit")
    ),
}
"""Fields of the Kubernetes API (and of kueue.x-k8s.io) whose type is Quantity."""

QUANTITY_FORM = "a number, then nothing or one of n u m k M G T P E Ki Mi Gi Ti Pi Ei"


class InvalidQuantity(ManifestRule):
    """Resource amounts are valid Kubernetes quantities, not less than zero (`resources`, `sizeLimit`, `storage`)."""

    id = "E8801"
    source = SOURCE

    def check(self, context: ManifestContext) -> Violations:
        obj = context.object
        amounts = [found for path in IN_AN_OBJECT.get(obj.kind, ()) for found in expand(obj.body, path)]
        for template in context.release.templates_of(obj):
            amounts += [found for path in IN_A_POD_SPEC for found in expand(template.spec, path, template.spec_path)]
        for path, value in amounts:
            amount = quantity(value)
            if amount is None:
                yield Violation(
                    path,
                    f"{value!r} is not a valid quantity: {QUANTITY_FORM}",
                    "write a number with or without such a suffix: 16Gi of memory, 500m for half a core, 64 devices",
                )
            elif amount < 0:
                yield Violation(path, f"{value!r} is less than 0", "write 0 or more, or remove the amount")
