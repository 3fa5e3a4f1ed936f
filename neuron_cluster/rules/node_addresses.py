"""How many addresses of its subnet a node takes with all its pods."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.plan.cluster_plan import NodeGroupPlan


def addresses_of_node(group: NodeGroupPlan, catalog: Catalog) -> int | None:
    """The formula of rule E1010; the VPC CNI adds its interfaces on network card 0 only.

    None where the catalog does not know the vCPUs of the type, its interfaces on a card, or their addresses.
    """
    machine = group.machine
    row = catalog.instance_type(machine.instance_type)
    if row is None:  # rule E3001 ran before
        raise LookupError(f"the catalog has no instance type {machine.instance_type}")
    vcpus, on_card, each = row.vcpus, row.interfaces_per_card, row.ipv4_per_interface
    if vcpus is None or on_card is None or each is None:
        return None
    is_small = vcpus <= (catalog.limit("small_node_vcpus").maximum or 0)
    bound = catalog.limit("pods_on_small_node" if is_small else "pods_on_large_node").maximum or 0
    pods = min(on_card * (each - 1), bound)
    spare = catalog.limit("vpc_cni_spare_interfaces").minimum or 0
    held = min(on_card, math.ceil(pods / (each - 1)) + spare)
    return held * each + machine.addresses - 1
