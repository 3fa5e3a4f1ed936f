"""How many Neuron devices compute groups have."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan


class DeviceCounts(Struct, frozen=True):
    """Neuron devices of all instances of some groups."""

    desired: int
    maximum: int
    has_limit: bool
    """False: a group with devices has no maximum, so that ``maximum`` is a lower bound."""

    @property
    def maximum_text(self) -> str:
        return f"{'' if self.has_limit else 'at least '}{self.maximum:,}"


def device_counts(groups: Iterable[ComputeGroupPlan], catalog: Catalog) -> DeviceCounts:
    """The counts at the desired and at the maximum number of instances."""
    desired = maximum = 0
    has_limit = True
    for group in groups:
        row = catalog.instance_types.get(group.machine.instance_type)
        devices = (row.neuron_devices or 0) if row is not None else 0
        desired += devices * group.desired
        maximum += devices * group.known_maximum
        has_limit = has_limit and (group.has_limit or not devices)
    return DeviceCounts(desired, maximum, has_limit)


def devices_text(number: int) -> str:
    """``1 Neuron device``, ``1,024 Neuron devices``."""
    return f"{number:,} Neuron device{'' if number == 1 else 's'}"
