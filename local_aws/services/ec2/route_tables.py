"""Route tables: a subnet has one, and that of a VPC goes with it."""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError


@guard("ec2", "AssociateRouteTable")
def require_subnet_of_no_other(call: Call) -> None:
    """moto answers with the association that there is, and leaves the subnet where it was."""
    subnet_id, wanted = call.parameters.get("SubnetId"), call.parameters["RouteTableId"]
    for table in call.moto_backend("ec2").route_tables.values():
        held = {association.get("SubnetId") for association in table.associations}
        if subnet_id is not None and subnet_id in held and table.id != wanted:
            words = f"the specified association for route table {wanted} conflicts with an existing association"
            # Source: hashicorp/terraform-provider-aws#38960 has code and words
            raise ServiceError("Resource.AlreadyAssociated", words)


@guard("ec2", "DeleteRouteTable")
def require_no_main_table(call: Call) -> None:
    """What moto does not know, it says itself."""
    table = call.moto_backend("ec2").route_tables.get(call.parameters["RouteTableId"])
    if table is not None and table.main_association_id is not None:
        words = f"The routeTable '{table.id}' has dependencies and cannot be deleted."
        raise ServiceError("DependencyViolation", words)
