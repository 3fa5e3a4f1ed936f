"""How EKS replaces the nodes of a managed node group in an update."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.plan.machine_plan import MachinePlan


def update_strategy(machine: MachinePlan) -> str | None:
    """``MINIMAL`` where an update ends a node before it starts its successor; None for EKS's default.

    By default EKS starts up to twice as many nodes as the group has zones first: a reservation that is in use has
    no place for them, and accelerators with EFA stand in one placement group that may have none.
    Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-update-behavior.html
    """
    purchase = machine.purchase
    is_scarce = machine.is_neuron and machine.efa_interfaces > 0 and purchase.kind != "spot"
    return "MINIMAL" if purchase.is_reserved or is_scarce else None
