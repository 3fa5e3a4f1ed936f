"""What instances are in that no call has described yet is not deleted either: groups, subnets, placement groups."""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.running_capacity import placement_groups_in_use, security_groups_in_use, undescribed_rows
from local_aws.service import Call, ServiceError


@guard("ec2", "DeleteSecurityGroup")
def require_unused_group(call: Call) -> None:
    group_id = call.parameters.get("GroupId")
    if group_id in security_groups_in_use(call):
        raise ServiceError("DependencyViolation", f"resource {group_id} has a dependent object")


@guard("ec2", "DeleteSubnet")
def require_empty_subnet(call: Call) -> None:
    subnet_id = call.parameters["SubnetId"]
    if any(row.subnet_id == subnet_id for row in undescribed_rows(call)):
        words = f"The subnet '{subnet_id}' has dependencies and cannot be deleted."
        raise ServiceError("DependencyViolation", words)


@guard("ec2", "DeletePlacementGroup")
def require_empty_placement_group(call: Call) -> None:
    name = call.parameters["GroupName"]
    group = call.table("placement-groups").get(name, {})
    if {name, group.get("GroupId")} & placement_groups_in_use(call):
        raise ServiceError("InvalidPlacementGroup.InUse", f"The placement group '{name}' is in use.")
