"""A compute group as one state of the stacks has it, its launch template included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.effects import normal_text
from neuron_cluster.changes.stack_set import StackSet

UNKNOWN_TYPE = "instances of a type that is unknown from the template"
PropertyPath = tuple[str, ...]


class GroupProperties(Struct, frozen=True):
    """Where a resource type has the size and the launch template of a group."""

    sizes: tuple[PropertyPath, PropertyPath, PropertyPath]
    """Minimum, desired and maximum number of instances."""
    launch_template_id: PropertyPath


class GroupState:
    """A group as the templates describe it; counts are text, ``?`` where a token hides one."""

    def __init__(self, stacks: StackSet, address: Address, where: GroupProperties, name: str) -> None:
        self.properties: Mapping[str, Any] = stacks.properties(address)
        self.name = name or address.logical_id
        found = references(value_at(self.properties, where.launch_template_id))
        templates = [stacks.properties(reference.target) for reference in found]
        data: Any = templates[0].get("LaunchTemplateData", {}) if templates else {}
        self.instance_type = text_of(data.get("InstanceType")) or UNKNOWN_TYPE
        target = value_at(data, ("CapacityReservationSpecification", "CapacityReservationTarget"))
        named = (value_at(target, (name,)) for name in ("CapacityReservationId", "CapacityReservationResourceGroupArn"))
        self.reservation_id = next((text_of(name) for name in named if name is not None), None)
        """The reservation that its instances run in, or the ARN of a resource group of reservations."""
        market = text_of(value_at(data, ("InstanceMarketOptions", "MarketType"))) or "on-demand"
        self.capacity_type = market.upper().replace("-", "_")
        """``ON_DEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``."""
        self.counts = tuple(text_of(value_at(self.properties, size)) or "?" for size in where.sizes)

    @property
    def desired(self) -> int | None:
        return int(self.counts[1]) if self.counts[1].isdigit() else None

    @property
    def maximum(self) -> int | None:
        return int(self.counts[2]) if self.counts[2].isdigit() else None

    @property
    def description(self) -> str:
        """``16 x trn1.32xlarge (0 to 16), on demand``."""
        minimum, desired, maximum = self.counts
        bought = self.capacity_type.lower().replace("_", " ")
        parts = (f"{desired} x {self.instance_type} ({minimum} to {maximum})", bought, self.reservation_id)
        return ", ".join(part for part in parts if part)


def text_of(value: Any) -> str | None:
    """A value that a template gives as text; what only AWS resolves is written out."""
    return None if value is None else normal_text(value)
