"""AWS::EC2::Route."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, ResourceContext
from local_aws.handlers.ec2_resource import no_such
from local_aws.handlers.service_resource import ServiceResource, present
from local_aws.handlers.shapes import call

DESTINATIONS = ("DestinationCidrBlock", "DestinationIpv6CidrBlock", "DestinationPrefixListId")
TARGETS = (
    "EgressOnlyInternetGatewayId",
    "GatewayId",
    "InstanceId",
    "NatGatewayId",
    "NetworkInterfaceId",
    "TransitGatewayId",
    "VpcEndpointId",
    "VpcPeeringConnectionId",
)


class Route(ServiceResource):
    """The physical id is ``<route table>|<destination>``."""

    service = "ec2"
    type_name = "AWS::EC2::Route"
    carried = frozenset({"RouteTableId", *DESTINATIONS, *TARGETS})
    required = frozenset({"RouteTableId"})

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        call(self.client(context), "CreateRoute", properties)
        return f"{properties['RouteTableId']}|{_destination(properties)}"

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:  # noqa: ARG002 - the properties name it
        if new != old:
            call(self.client(context), "ReplaceRoute", new)

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the properties name it
        call(self.client(context), "DeleteRoute", present(properties, "RouteTableId", *DESTINATIONS))

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        table_id, _, destination = physical_id.partition("|")
        tables = self.client(context).describe_route_tables(RouteTableIds=[table_id])["RouteTables"]
        for route in tables[0]["Routes"]:
            if _destination(route) == destination:
                return {"RouteTableId": table_id, **present(route, *DESTINATIONS, *TARGETS)}
        raise no_such("DescribeRouteTables", "RouteId", physical_id)

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - the id holds it
        return {"CidrBlock": physical_id.partition("|")[2]}


def _destination(route: Properties) -> str:
    """Of the three only one can be given; EC2 refuses a route with none before this is asked."""
    return next(str(route[name]) for name in DESTINATIONS if route.get(name))
