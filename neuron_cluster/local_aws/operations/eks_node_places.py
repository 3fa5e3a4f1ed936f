"""What the nodes of node groups occupy in EC2: addresses of subnets, security groups, a placement group.

No instance stands behind a node, so that what a real one holds is kept here, and EC2 asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_cluster.local_aws.launch_request import named_groups
from neuron_cluster.local_aws.operations.ec2_instance_interfaces import EFA_ONLY
from neuron_cluster.local_aws.operations.ec2_network_interfaces import free_addresses
from neuron_cluster.local_aws.operations.eks_tables import Row
from neuron_cluster.local_aws.service import Call

PLACES = "node-places"


def occupied(call: Call) -> Iterator[Row]:
    """What the nodes of each group hold, in the account and Region of any service's call."""
    yield from list(call.store.table(call.account, call.region, f"eks.{PLACES}").values())


def occupy(call: Call, cluster: Row, group: Row, data: Mapping[str, Any], addresses: Mapping[str, int]) -> None:
    """``data`` is that of the launch template; nodes of one that names no group are in the cluster's."""
    placement = data.get("Placement") or {}
    call.table(PLACES)[group["nodegroupArn"]] = {
        "addresses": dict(addresses),
        "groups": named_groups(data) or {cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]},
        "placement_groups": {placement[name] for name in ("GroupName", "GroupId") if placement.get(name)},
    }


def leave(call: Call, group: Row) -> None:
    call.table(PLACES).pop(group["nodegroupArn"], None)


def find_addresses(call: Call, group: Row, data: Mapping[str, Any], count: int) -> Mapping[str, int] | None:
    """Addresses by subnet for so many more nodes, each with all of its interfaces in one; None where there are fewer.

    Those of pods are not counted: how many a node takes for them, its CNI decides.
    """
    interfaces = [each for each in data.get("NetworkInterfaces", []) if each.get("InterfaceType") != EFA_ONLY]
    of_a_node = max(len(interfaces), 1)
    backend = call.moto_backend("ec2")
    free = {
        subnet_id: free_addresses(backend, backend.get_subnet(subnet_id)) - taken_by_nodes(call, subnet_id)
        for subnet_id in group["subnets"]
    }
    found: dict[str, int] = {}
    left = count
    for subnet_id in sorted(free, key=lambda each: -free[each]):
        if (nodes := min(left, max(free[subnet_id], 0) // of_a_node)) > 0:
            found[subnet_id] = nodes * of_a_node
            left -= nodes
    return None if left else found


def taken_by_nodes(call: Call, subnet_id: str) -> int:
    """Addresses of a subnet that nodes have."""
    return sum(place["addresses"].get(subnet_id, 0) for place in occupied(call))
