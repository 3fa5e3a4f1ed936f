"""What instances are in that no call has described yet is not deleted either: groups, subnets, placement groups."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.guards import guard
from local_aws.running_capacity import placement_groups_in_use, security_groups_in_use, undescribed_rows
from local_aws.service import Call


@guard("ec2", "DeleteSecurityGroup")
def require_unused_group(call: Call) -> None:
    group_id = call.parameters.get("GroupId")
    if group_id in security_groups_in_use(call):
        raise api_error("ec2.group_in_use", group_id=group_id)


@guard("ec2", "DeleteSubnet")
def require_empty_subnet(call: Call) -> None:
    subnet_id = call.parameters["SubnetId"]
    if any(row.subnet_id == subnet_id for row in undescribed_rows(call)):
        raise api_error("ec2.subnet_in_use", subnet_id=subnet_id)


@guard("ec2", "DeletePlacementGroup")
def require_empty_placement_group(call: Call) -> None:
    name = call.parameters["GroupName"]
    group = call.table("placement-groups").get(name, {})
    if {name, group.get("GroupId")} & placement_groups_in_use(call):
        raise api_error("ec2.placement_group_in_use", name=name)
