"""A managed node group of EKS, completely decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from neuron_cluster.plan.node_group_plan import NodeGroupPlan

if TYPE_CHECKING:
    from neuron_cluster.catalog.node_allocatable import PlanFact


class ManagedNodeGroupPlan(NodeGroupPlan, frozen=True, kw_only=True):
    physical_name: str
    """``<name>-<8 hex>``: changes with whatever replaces the group, so that a replacement never collides."""

    @property
    def capacity_type(self) -> str:
        """The EKS API's name of the purchase option: ``ON_DEMAND``, ``SPOT`` or ``CAPACITY_BLOCK``."""
        return self.machine.purchase.kind.upper()

    @property
    def label_facts(self) -> Mapping[PlanFact, str]:
        return {"node_group": self.physical_name, "capacity_type": self.capacity_type}

    @property
    def update_strategy(self) -> str | None:
        """``MINIMAL`` where an update ends a node before it starts its successor; None for EKS's default.

        By default EKS starts up to twice as many nodes as the group has zones first: a reservation that is in use has
        no capacity for them, and accelerators with EFA are in one placement group that may have none.
        Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
        """
        purchase = self.machine.purchase
        is_scarce = self.machine.is_neuron and self.machine.efa_interfaces > 0 and purchase.kind != "spot"
        return "MINIMAL" if purchase.is_reserved or is_scarce else None
