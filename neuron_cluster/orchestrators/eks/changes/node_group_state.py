"""A node group as one state of the stacks has it, its launch template included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.effects import normal_text
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.kubernetes.names import GROUP_LABEL

NODE_GROUP = "AWS::EKS::Nodegroup"
SCALING = "ScalingConfig"
UNKNOWN_TYPE = "instances of a type that is unknown from the template"


class NodeGroupState:
    """A node group as the templates describe it; counts are text, ``?`` where a token hides one."""

    def __init__(self, stacks: StackSet, address: Address) -> None:
        self._properties = stacks.properties(address)
        found = references(value_at(self._properties, ("LaunchTemplate", "Id")))
        templates = [stacks.properties(reference.target) for reference in found]
        data: Any = templates[0].get("LaunchTemplateData", {}) if templates else {}
        self.instance_type = _text(data.get("InstanceType")) or UNKNOWN_TYPE
        target = value_at(data, ("CapacityReservationSpecification", "CapacityReservationTarget"))
        named = (value_at(target, (name,)) for name in ("CapacityReservationId", "CapacityReservationResourceGroupArn"))
        self.reservation_id = next((_text(name) for name in named if name is not None), None)
        """The reservation that its nodes run in, or the ARN of a resource group of reservations."""
        self.name = group_name(self._properties) or address.logical_id
        self.capacity_type = _text(self._properties.get("CapacityType")) or "ON_DEMAND"
        sizes = ("MinSize", "DesiredSize", "MaxSize")
        self.counts = tuple(_text(value_at(self._properties, (SCALING, size))) or "?" for size in sizes)

    @property
    def desired(self) -> int | None:
        return int(self.counts[1]) if self.counts[1].isdigit() else None

    @property
    def pace(self) -> str:
        """How many nodes go at a time."""
        at_once = _text(value_at(self._properties, ("UpdateConfig", "MaxUnavailable"))) or "1"
        pace = "one by one" if at_once == "1" else f"{at_once} at a time"
        ends_first = value_at(self._properties, ("UpdateConfig", "UpdateStrategy")) == "MINIMAL"
        return f"{pace}, each ended before its successor starts" if ends_first else pace

    @property
    def description(self) -> str:
        """``16 x trn1.32xlarge (0 to 16), on demand``."""
        minimum, desired, maximum = self.counts
        bought = (_text(self._properties.get("CapacityType")) or "").lower().replace("_", " ")
        parts = (f"{desired} x {self.instance_type} ({minimum} to {maximum})", bought, self.reservation_id)
        return ", ".join(part for part in parts if part)


def group_name(properties: Mapping[str, Any]) -> str:
    """The group's name in the file; empty where the template does not have it."""
    labels = properties.get("Labels")
    label = labels.get(GROUP_LABEL) if isinstance(labels, dict) else None
    return _text(label) or _text(properties.get("NodegroupName")) or ""


def _text(value: Any) -> str | None:
    """A value that a template gives as text; what only AWS resolves is written out."""
    return None if value is None else normal_text(value)
