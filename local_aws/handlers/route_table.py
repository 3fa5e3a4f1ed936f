"""AWS::EC2::RouteTable and AWS::EC2::SubnetRouteTableAssociation."""

from __future__ import annotations

import contextlib
from typing import Any

from local_aws.engine.provider import Properties, Resource, ResourceContext
from local_aws.handlers.ec2_resource import Ec2Resource, no_such
from local_aws.handlers.service_resource import ServiceResource


class RouteTable(Ec2Resource):
    type_name = "AWS::EC2::RouteTable"
    tag_type = "route-table"
    noun = "RouteTable"
    id_member = "RouteTableId"
    rows_member = "RouteTables"
    created = frozenset({"VpcId"})
    carried = created | {"Tags"}
    required = frozenset({"VpcId"})


class SubnetRouteTableAssociation(ServiceResource):
    """The physical id is the association's, ``rtbassoc-…``."""

    service = "ec2"
    type_name = "AWS::EC2::SubnetRouteTableAssociation"
    carried = frozenset({"RouteTableId", "SubnetId"})
    required = frozenset({"RouteTableId", "SubnetId"})
    # A subnet has one association: "The physical ID changes when the route table ID is changed."
    # https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ec2-subnetroutetableassociation.html
    replaced_in_place = frozenset({"RouteTableId"})

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        if old["RouteTableId"] == new["RouteTableId"]:
            return resource
        self._check(new)
        wanted = {"AssociationId": resource.physical_id, "RouteTableId": new["RouteTableId"]}
        association_id = self.client(context).replace_route_table_association(**wanted)["NewAssociationId"]
        return self.found(context, association_id)

    def make(self, context: ResourceContext, properties: Properties, undo: contextlib.ExitStack) -> str:  # noqa: ARG002 - one call
        association_id: str = self.client(context).associate_route_table(**properties)["AssociationId"]
        return association_id

    def change(self, context: ResourceContext, physical_id: str, old: Properties, new: Properties) -> None:
        """``update`` does it."""

    def remove(self, context: ResourceContext, physical_id: str, properties: Properties) -> None:  # noqa: ARG002 - the id is enough
        self.client(context).disassociate_route_table(AssociationId=physical_id)

    def describe(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:
        filters = [{"Name": "association.route-table-association-id", "Values": [physical_id]}]
        for table in self.client(context).describe_route_tables(Filters=filters)["RouteTables"]:
            for association in table["Associations"]:
                if association["RouteTableAssociationId"] == physical_id:
                    return {"RouteTableId": table["RouteTableId"], "SubnetId": association["SubnetId"]}
        raise no_such("DescribeRouteTables", "AssociationId", physical_id)

    def attributes(self, context: ResourceContext, physical_id: str) -> dict[str, Any]:  # noqa: ARG002 - its id is all
        return {"Id": physical_id}
