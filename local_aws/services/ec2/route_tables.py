"""Route tables: a subnet has one, that of a VPC goes with it, and gateways are of the same VPC."""

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


@guard("ec2", "AssociateRouteTable")
def require_subnet_of_the_network(call: Call) -> None:
    """That one of the two does not exist, moto says."""
    backend, given = call.moto_backend("ec2"), call.parameters
    table = backend.route_tables.get(given["RouteTableId"])
    subnet_id = given.get("SubnetId")
    subnet = next((zone[subnet_id] for zone in backend.subnets.values() if subnet_id in zone), None)
    if table is not None and subnet is not None and table.vpc_id != subnet.vpc_id:
        raise api_error("ec2.route_table_of_other_network", table=table.id, subnet=subnet_id)


@guard("ec2", "CreateRoute", "ReplaceRoute", last=True)
def require_target(call: Call) -> None:
    """moto takes gateways that are attached elsewhere or nowhere, and NAT gateways that do not exist."""
    backend, given = call.moto_backend("ec2"), call.parameters
    table = backend.route_tables.get(given["RouteTableId"])
    gateway = backend.internet_gateways.get(given.get("GatewayId"))
    if table is not None and gateway is not None and (gateway.vpc is None or gateway.vpc.id != table.vpc_id):
        raise api_error("ec2.gateway_of_other_network", table=table.id, gateway=gateway.id)
    nat_gateway_id = given.get("NatGatewayId")
    if nat_gateway_id is not None and nat_gateway_id not in backend.nat_gateways:
        raise api_error("ec2.no_nat_gateway_of_route", nat_gateway_id=nat_gateway_id)


@guard("ec2", "DeleteRouteTable")
def require_no_main_table(call: Call) -> None:
    """What moto does not know, it says itself."""
    table = call.moto_backend("ec2").route_tables.get(call.parameters["RouteTableId"])
    if table is not None and table.main_association_id is not None:
        raise api_error("ec2.main_route_table", table=table.id)
