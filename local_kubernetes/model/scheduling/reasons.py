"""One reason why kube-scheduler does not place a pod on a node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

GroupKey = Literal["instance_type", "labels", "taints"]
"""The key of a node group that decides."""
Constraint = Literal["selector", "affinity", "toleration", "claim", "amount", "resource"]
"""The part of the pod that does not fit: ``amount`` is more of a resource than a node has, ``resource`` one that it
does not have."""
Plugin = Literal["NodeAffinity", "TaintToleration", "NodeResourcesFit", "DynamicResources"]
"""Filters of kube-scheduler (https://kubernetes.io/docs/reference/scheduling/config/#scheduling-plugins)."""

PLUGINS: Mapping[Constraint, Plugin] = {
    "selector": "NodeAffinity",
    "affinity": "NodeAffinity",
    "toleration": "TaintToleration",
    "amount": "NodeResourcesFit",
    "resource": "NodeResourcesFit",
    "claim": "DynamicResources",
}
NOT_EVALUATED = ("InterPodAffinity", "PodTopologySpread", "NodePorts", "VolumeBinding", "VolumeZone")
"""Filters that depend on other pods of the node or on volumes."""


class UnschedulableReason(Struct, frozen=True):
    """``message`` is a clause about the pod, ``hint`` what to change; ``doubt`` is why it may not hold, None where
    it certainly does."""

    message: str
    group_key: GroupKey
    constraint: Constraint
    hint: str
    doubt: str | None = None

    @property
    def plugin(self) -> Plugin:
        """The filter that rejects the node."""
        return PLUGINS[self.constraint]
