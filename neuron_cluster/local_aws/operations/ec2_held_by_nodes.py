"""What nodes of node groups are in is not deleted, as it is not under instances."""

from __future__ import annotations

from neuron_cluster.local_aws.guards import guard
from neuron_cluster.local_aws.operations.eks_node_places import occupied, taken_by_nodes
from neuron_cluster.local_aws.service import Call, ServiceError


@guard("ec2", "DeleteSecurityGroup")
def require_group_without_nodes(call: Call) -> None:
    group_id = call.parameters.get("GroupId")
    if any(group_id in place["groups"] for place in occupied(call)):
        raise ServiceError("DependencyViolation", f"resource {group_id} has a dependent object")


@guard("ec2", "DeleteSubnet")
def require_subnet_without_nodes(call: Call) -> None:
    subnet_id = call.parameters["SubnetId"]
    if taken_by_nodes(call, subnet_id):
        words = f"The subnet '{subnet_id}' has dependencies and cannot be deleted."
        raise ServiceError("DependencyViolation", words)


@guard("ec2", "DeletePlacementGroup")
def require_placement_group_without_nodes(call: Call) -> None:
    name = call.parameters["GroupName"]
    group = call.table("placement-groups").get(name, {})
    if any({name, group.get("GroupId")} & place["placement_groups"] for place in occupied(call)):
        raise ServiceError("InvalidPlacementGroup.InUse", f"The placement group '{name}' is in use.")
