"""The addresses that the instances of a compute group take in their subnets."""

from __future__ import annotations

from neuron_cluster.plan.address_plan import AddressNeed, NodeAddresses, Purpose
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan


def need_of_group(group: ComputeGroupPlan) -> AddressNeed:
    """Returns the need of the group's interfaces, at its largest size."""
    return AddressNeed(
        Purpose.NODES,
        group.name,
        group.known_maximum,
        group.machine.addresses,
        is_least=not group.has_limit,
        saved=group.known_maximum * _without_address(group),
    )


def need_of_nodes(group: ComputeGroupPlan, counted: NodeAddresses | None) -> AddressNeed:
    """With its pods. Where ``counted`` is None, what its launch template requests; rule W1013 reports such a group."""
    return AddressNeed(
        Purpose.NODES,
        group.name,
        group.known_maximum,
        counted.addresses if counted is not None else group.machine.addresses,
        is_least=counted is None or not group.has_limit,
        saved=group.known_maximum * _without_address(group),
        blocks=group.known_maximum * counted.prefixes if counted is not None else 0,
    )


def _without_address(group: ComputeGroupPlan) -> int:
    """EFA interfaces without an address (``efa-only``)."""
    return max(0, group.machine.efa_interfaces - group.machine.addresses)
