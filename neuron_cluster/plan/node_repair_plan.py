"""Automatic repair of the nodes of one group: what is done about which reason, and how many nodes at most."""

from __future__ import annotations

from msgspec import Struct


class RepairOverridePlan(Struct, frozen=True):
    """The action for one reason of one node condition, as the service spells both."""

    condition: str
    reason: str
    action: str
    """``Replace``, ``Reboot`` or ``NoAction``."""
    wait_minutes: int


class NodeRepairPlan(Struct, frozen=True):
    """The repair thresholds and the overrides."""

    unhealthy_at_most: int
    """With more unhealthy nodes than this none is repaired: the cause is not one instance, and people are needed."""
    parallel_at_most: int
    """Nodes under repair at a time."""
    overrides: tuple[RepairOverridePlan, ...]
