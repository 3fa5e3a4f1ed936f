"""The network stack: VPC, subnets by zone id, ways out, endpoints, and every security group."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.machine_plan import Role
from neuron_cluster.plan.network_plan import EndpointPlan, NetworkPlan, ZonePlan
from stacks.constructs.flow_log import FlowLog
from stacks.constructs.security_groups import SecurityGroups
from stacks.environment_stack import EnvironmentStack


class NetworkStack(EnvironmentStack):
    """Everything here is published; state stands on these subnets and groups, so it is protected like state."""

    def __init__(self, scope: Construct, plan: ClusterPlan) -> None:
        super().__init__(scope, "network", plan, holds_state=plan.storage is not None)
        self._plan = plan.network
        self._vpc = ec2.CfnVPC(
            self, "Vpc", cidr_block=self._plan.cidr, enable_dns_hostnames=True, enable_dns_support=True
        )
        cdk.Tags.of(self._vpc).add("Name", plan.name)
        self._private = {zone.zone_id: self._private_subnet(zone) for zone in self._plan.zones}
        self._routes = {zone.zone_id: self._route_table(zone) for zone in self._plan.zones}
        if self._plan.has_internet:
            self._ways_out()
        self.groups = SecurityGroups(self, "Groups", vpc_id=self._vpc.ref)
        for endpoint in self._plan.endpoints:
            self._endpoint(endpoint)
        FlowLog(self, "FlowLog", vpc_id=self._vpc.ref)
        self.publish(self._vpc.ref, *(subnet.ref for subnet in self._private.values()), *self.groups.ids)

    @property
    def network(self) -> NetworkPlan:
        return self._plan

    @property
    def vpc_id(self) -> str:
        return self._vpc.ref

    def private_subnet_id(self, zone_id: str) -> str:
        """The private subnet in this zone, as a token."""
        return self._private[zone_id].ref

    def private_routes_id(self, zone_id: str) -> str:
        """The route table of that subnet, as a token."""
        return self._routes[zone_id].ref

    def group_id(self, role: Role) -> str:
        return self.groups.id_of(role)

    def _private_subnet(self, zone: ZonePlan) -> ec2.CfnSubnet:
        subnet = ec2.CfnSubnet(
            self,
            f"Private {zone.zone_id}",
            vpc_id=self._vpc.ref,
            cidr_block=zone.private_cidr,
            availability_zone_id=zone.zone_id,
            map_public_ip_on_launch=False,
        )
        cdk.Tags.of(subnet).add("Name", f"private {zone.zone_id}")
        cdk.Tags.of(subnet).add("kubernetes.io/role/internal-elb", "1")
        return subnet

    def _route_table(self, zone: ZonePlan) -> ec2.CfnRouteTable:
        table = ec2.CfnRouteTable(self, f"PrivateRoutes {zone.zone_id}", vpc_id=self._vpc.ref)
        cdk.Tags.of(table).add("Name", f"private {zone.zone_id}")
        ec2.CfnSubnetRouteTableAssociation(
            self,
            f"PrivateRoutesOf {zone.zone_id}",
            route_table_id=table.ref,
            subnet_id=self._private[zone.zone_id].ref,
        )
        return table

    def _ways_out(self) -> None:
        """Internet gateway, public subnets, NAT gateways, and the routes to them."""
        gateway = ec2.CfnInternetGateway(self, "InternetGateway")
        attachment = ec2.CfnVPCGatewayAttachment(
            self, "InternetGatewayAttachment", vpc_id=self._vpc.ref, internet_gateway_id=gateway.ref
        )
        public_routes = ec2.CfnRouteTable(self, "PublicRoutes", vpc_id=self._vpc.ref)
        cdk.Tags.of(public_routes).add("Name", "public")
        to_internet = ec2.CfnRoute(
            self,
            "PublicRouteToInternet",
            route_table_id=public_routes.ref,
            destination_cidr_block="0.0.0.0/0",
            gateway_id=gateway.ref,
        )
        to_internet.add_resource_dependency(attachment)
        nat_gateways = {
            zone.zone_id: self._nat_gateway(subnet, zone, to_internet)
            for zone, subnet in [(zone, self._public_subnet(zone, public_routes)) for zone in self._plan.zones]
            if zone.has_nat_gateway
        }
        for zone in self._plan.zones:
            if zone.nat_zone_id is not None:
                ec2.CfnRoute(
                    self,
                    f"PrivateRouteToNat {zone.zone_id}",
                    route_table_id=self._routes[zone.zone_id].ref,
                    destination_cidr_block="0.0.0.0/0",
                    nat_gateway_id=nat_gateways[zone.nat_zone_id].ref,
                )

    def _public_subnet(self, zone: ZonePlan, routes: ec2.CfnRouteTable) -> ec2.CfnSubnet:
        subnet = ec2.CfnSubnet(
            self,
            f"Public {zone.zone_id}",
            vpc_id=self._vpc.ref,
            cidr_block=zone.public_cidr,
            availability_zone_id=zone.zone_id,
            map_public_ip_on_launch=False,
        )
        cdk.Tags.of(subnet).add("Name", f"public {zone.zone_id}")
        cdk.Tags.of(subnet).add("kubernetes.io/role/elb", "1")
        ec2.CfnSubnetRouteTableAssociation(
            self, f"PublicRoutesOf {zone.zone_id}", route_table_id=routes.ref, subnet_id=subnet.ref
        )
        return subnet

    def _nat_gateway(self, subnet: ec2.CfnSubnet, zone: ZonePlan, to_internet: ec2.CfnRoute) -> ec2.CfnNatGateway:
        address = ec2.CfnEIP(self, f"NatAddress {zone.zone_id}", domain="vpc")
        nat = ec2.CfnNatGateway(
            self, f"NatGateway {zone.zone_id}", subnet_id=subnet.ref, allocation_id=address.attr_allocation_id
        )
        cdk.Tags.of(nat).add("Name", zone.zone_id)
        nat.add_resource_dependency(to_internet)
        return nat

    def _endpoint(self, endpoint: EndpointPlan) -> None:
        name = f"com.amazonaws.{self.region}.{endpoint.service}"
        if endpoint.is_gateway:
            ec2.CfnVPCEndpoint(
                self,
                f"Endpoint {endpoint.service}",
                vpc_id=self._vpc.ref,
                service_name=name,
                vpc_endpoint_type="Gateway",
                route_table_ids=[table.ref for table in self._routes.values()],
            )
            return
        ec2.CfnVPCEndpoint(
            self,
            f"Endpoint {endpoint.service}",
            vpc_id=self._vpc.ref,
            service_name=name,
            vpc_endpoint_type="Interface",
            private_dns_enabled=True,
            subnet_ids=[subnet.ref for subnet in self._private.values()],
            security_group_ids=[self.group_id(Role.ENDPOINT)],
        )
