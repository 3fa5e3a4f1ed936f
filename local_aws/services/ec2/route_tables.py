"""Route tables: a subnet has one, and that of a VPC goes with it."""

from __future__ import annotations

from local_aws.api_errors import api_error
from local_aws.service import Call, guard


@guard("ec2", "AssociateRouteTable")
def require_subnet_of_no_other(call: Call) -> None:
    """moto answers with the association that there is, and leaves the subnet where it was."""
    subnet_id, wanted = call.parameters.get("SubnetId"), call.parameters["RouteTableId"]
    for table in call.moto_backend("ec2").route_tables.values():
        held = {association.get("SubnetId") for association in table.associations}
        if subnet_id is not None and subnet_id in held and table.id != wanted:
            raise api_error("ec2.route_table_association", wanted=wanted)


@guard("ec2", "DeleteRouteTable")
def require_no_main_table(call: Call) -> None:
    """What moto does not know, it says itself."""
    table = call.moto_backend("ec2").route_tables.get(call.parameters["RouteTableId"])
    if table is not None and table.main_association_id is not None:
        raise api_error("ec2.main_route_table", table=table.id)
