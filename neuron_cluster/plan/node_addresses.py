"""Maximum pods of a node by the VPC CNI's limits, and how many addresses of its subnet with them."""

from __future__ import annotations

import math

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.address_plan import NodeAddresses
from neuron_cluster.plan.machine_plan import MachinePlan


def node_addresses(
    machine: MachinePlan, pods_per_node: int | None, catalog: Catalog, *, with_prefixes: bool
) -> NodeAddresses | None:
    """Returns None where the catalog does not have the vCPUs of the type, its interfaces on a card, or their addresses.

    The VPC CNI adds interfaces only on network card 0, next to those of the layout. Without prefixes it
    holds the interfaces that the pods fill and one spare, each with all its addresses; with prefixes each address slot
    holds a /28, and it holds as many as the pods and one spare address need (``prefix_delegation`` sets
    WARM_IP_TARGET). The service bounds the pods of a node.
    Source: aws/amazon-vpc-cni-k8s, README.md and docs/prefix-and-ip-target.md; EKS guide, "choosing an instance type".
    """
    row = catalog.instance_types.get(machine.instance_type)
    if row is None:  # rule E3001 ran before
        raise LookupError(f"the catalog has no instance type {machine.instance_type}")
    vcpus, of_card, each = row.vcpus, row.interfaces_per_card, row.ipv4_per_interface
    if vcpus is None or of_card is None or each is None:
        return None
    on_card = of_card - sum(interface.network_card_index == 0 for interface in machine.interfaces[1:])
    slots, size = on_card * (each - 1), catalog.limits["vpc_cni_prefix_addresses"].require_minimum()
    bound = _bound_of_service(vcpus, catalog)
    without, with_them = min(slots, bound), min(slots * size, bound)
    maximum = with_them if with_prefixes else without
    pods = maximum if pods_per_node is None else min(pods_per_node, maximum)
    added = machine.addresses - 1
    beside = len(machine.interfaces) - 1
    if with_prefixes:
        spare = catalog.limits["vpc_cni_spare_addresses"].require_minimum()
        prefixes = min(slots, math.ceil((pods + spare) / size))
        held = max(1, math.ceil(prefixes / (each - 1)))
        single = held + added
        addresses = single + prefixes * size
    else:
        prefixes = 0
        spare = catalog.limits["vpc_cni_spare_interfaces"].require_minimum()
        held = min(on_card, math.ceil(pods / (each - 1)) + spare)
        addresses = single = held * each + added
    return NodeAddresses(pods, without, with_them, held + beside, single, prefixes, addresses)


def _bound_of_service(vcpus: int, catalog: Catalog) -> int:
    """The bound of managed node groups, with prefixes and without."""
    is_small = vcpus <= catalog.limits["small_node_vcpus"].require_maximum()
    return catalog.limits["pods_on_small_node" if is_small else "pods_on_large_node"].require_maximum()
