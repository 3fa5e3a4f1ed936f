"""A VPC with its subnets, routes and ways out, from the plan of a network."""

from __future__ import annotations

from ipaddress import IPv4Network

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.plan.network_plan import NetworkPlan, SubnetPlan, SubnetTier, ZonePlan
from stacks.constructs.acknowledgement import acknowledge, in_standards


class Vpc:
    """Not a construct: its resources are children of the scope, whose ids are a contract.

    Subnets and route tables are found by zone id, as tokens.
    """

    def __init__(self, scope: Construct, plan: NetworkPlan, name: str) -> None:
        """``name`` is the tag Name of the VPC."""
        self._scope = scope
        self._plan = plan
        vpc = ec2.CfnVPC(
            scope,
            "Vpc",
            cidr_block=plan.cidr,
            enable_dns_hostnames=True,
            enable_dns_support=True,
            tags=_tags(Name=name),
        )
        acknowledge(
            vpc,
            in_standards(
                "VPCDefaultSecurityGroupClosed",
                "CloudFormation cannot take rules from a group that it did not make; nothing here uses the group, and "
                "docs/security.md has the commands that close it.",
            ),
        )
        self.vpc_id = vpc.ref
        self.private_routes: list[cdk.CfnResource] = []
        """Resources that a private subnet needs before its instances reach the internet, where they may."""
        self.private_subnet_ids = {
            each.zone_id: self._private_subnet(each) for each in plan.subnets_of(SubnetTier.PRIVATE)
        }
        self.route_table_ids: dict[str, str] = {}
        """Ids of the route tables of the private subnets."""
        for zone in plan.zones:
            self.route_table_ids[zone.zone_id] = self._route_table(zone)
        self.secondary_subnet_ids = {
            each.zone_id: self._secondary_subnet(each) for each in plan.subnets_of(SubnetTier.SECONDARY)
        }
        if plan.has_internet:
            self._ways_out()

    def _private_subnet(self, plan: SubnetPlan) -> str:
        return ec2.CfnSubnet(
            self._scope,
            f"Private {plan.zone_id}",
            vpc_id=self.vpc_id,
            cidr_block=plan.cidr,
            availability_zone_id=plan.zone_id,
            map_public_ip_on_launch=False,
            tags=_tags(Name=f"private {plan.zone_id}", **{"kubernetes.io/role/internal-elb": "1"}),
        ).ref

    def _secondary_subnet(self, plan: SubnetPlan) -> str:
        """Without the tag for load balancers, which take one subnet of a zone. Routes are those of the private subnet.

        Ids hold the address as a number: without dots and slashes, which no logical id has, two ranges may be equal.
        """
        name = f"{plan.zone_id} {int(IPv4Network(plan.cidr).network_address):08x}"
        block = ec2.CfnVPCCidrBlock(self._scope, f"SecondaryCidr {name}", vpc_id=self.vpc_id, cidr_block=plan.cidr)
        subnet = ec2.CfnSubnet(
            self._scope,
            f"Secondary {name}",
            vpc_id=self.vpc_id,
            cidr_block=plan.cidr,
            availability_zone_id=plan.zone_id,
            map_public_ip_on_launch=False,
            tags=_tags(Name=f"secondary {plan.zone_id}"),
        )
        subnet.add_resource_dependency(block)
        ec2.CfnSubnetRouteTableAssociation(
            self._scope,
            f"SecondaryRoutesOf {name}",
            route_table_id=self.route_table_ids[plan.zone_id],
            subnet_id=subnet.ref,
        )
        return subnet.ref

    def _route_table(self, zone: ZonePlan) -> str:
        table = ec2.CfnRouteTable(
            self._scope, f"PrivateRoutes {zone.zone_id}", vpc_id=self.vpc_id, tags=_tags(Name=f"private {zone.zone_id}")
        ).ref
        association = ec2.CfnSubnetRouteTableAssociation(
            self._scope,
            f"PrivateRoutesOf {zone.zone_id}",
            route_table_id=table,
            subnet_id=self.private_subnet_ids[zone.zone_id],
        )
        self.private_routes.append(association)
        return table

    def _ways_out(self) -> None:
        """Internet gateway, public subnets, NAT gateways, and the routes to them."""
        gateway = ec2.CfnInternetGateway(self._scope, "InternetGateway")
        attachment = ec2.CfnVPCGatewayAttachment(
            self._scope, "InternetGatewayAttachment", vpc_id=self.vpc_id, internet_gateway_id=gateway.ref
        )
        public_routes = ec2.CfnRouteTable(
            self._scope, "PublicRoutes", vpc_id=self.vpc_id, tags=_tags(Name="public")
        ).ref
        to_internet = ec2.CfnRoute(
            self._scope,
            "PublicRouteToInternet",
            route_table_id=public_routes,
            destination_cidr_block="0.0.0.0/0",
            gateway_id=gateway.ref,
        )
        to_internet.add_resource_dependency(attachment)
        acknowledge(
            to_internet,
            in_standards("VPCNoUnrestrictedRouteToIGW", "Of the public subnets, which hold NAT gateways alone."),
        )
        public = self._plan.subnets_of(SubnetTier.PUBLIC)
        public_ids = {each.zone_id: self._public_subnet(each, public_routes) for each in public}
        nat_gateways = {
            zone.zone_id: self._nat_gateway(public_ids[zone.zone_id], zone, to_internet)
            for zone in self._plan.zones
            if zone.has_nat_gateway
        }
        for zone in self._plan.zones:
            if zone.nat_zone_id is not None:
                route = ec2.CfnRoute(
                    self._scope,
                    f"PrivateRouteToNat {zone.zone_id}",
                    route_table_id=self.route_table_ids[zone.zone_id],
                    destination_cidr_block="0.0.0.0/0",
                    nat_gateway_id=nat_gateways[zone.nat_zone_id],
                )
                self.private_routes.append(route)

    def _public_subnet(self, plan: SubnetPlan, routes: str) -> str:
        subnet = ec2.CfnSubnet(
            self._scope,
            f"Public {plan.zone_id}",
            vpc_id=self.vpc_id,
            cidr_block=plan.cidr,
            availability_zone_id=plan.zone_id,
            map_public_ip_on_launch=False,
            tags=_tags(Name=f"public {plan.zone_id}", **{"kubernetes.io/role/elb": "1"}),
        ).ref
        ec2.CfnSubnetRouteTableAssociation(
            self._scope, f"PublicRoutesOf {plan.zone_id}", route_table_id=routes, subnet_id=subnet
        )
        return subnet

    def _nat_gateway(self, subnet: str, zone: ZonePlan, to_internet: ec2.CfnRoute) -> str:
        address = ec2.CfnEIP(self._scope, f"NatAddress {zone.zone_id}", domain="vpc")
        nat = ec2.CfnNatGateway(
            self._scope,
            f"NatGateway {zone.zone_id}",
            subnet_id=subnet,
            allocation_id=address.attr_allocation_id,
            tags=_tags(Name=zone.zone_id),
        )
        nat.add_resource_dependency(to_internet)
        return nat.ref


def _tags(**tags: str) -> list[cdk.CfnTag]:
    return [cdk.CfnTag(key=key, value=value) for key, value in tags.items()]
