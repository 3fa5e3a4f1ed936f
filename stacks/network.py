"""The network stack: VPC, subnets by zone id, ways out, endpoints, and every security group.

In a VPC that exists: security groups, and the interface endpoints that the file asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network

import aws_cdk as cdk
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.machine_plan import SecurityGroupRole
from neuron_cluster.plan.network_plan import EndpointPlan, NetworkPlan, SubnetPlan, SubnetTier, ZonePlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from stacks.constructs.acknowledgement import acknowledge, in_standards
from stacks.constructs.flow_log import FlowLog
from stacks.constructs.security_groups import SecurityGroups
from stacks.environment_stack import EnvironmentStack
from stacks.stack_context import StackContext


def build(context: StackContext) -> NetworkStack:
    return NetworkStack(context.scope, context.plan)


class NetworkStack(EnvironmentStack):
    """Everything here is published; data depends on these subnets and groups, so it is protected like data."""

    def __init__(self, scope: Construct, plan: ClusterPlan) -> None:
        super().__init__(scope, NETWORK.part, plan)
        self._plan = plan.network
        self._routes: dict[str, str] = {}
        self._secondary: dict[str, str] = {}
        if self._plan.existing is not None:
            self.vpc_id = self._plan.existing.vpc_id
            self._private = {each.zone_id: each.identity for each in self._plan.subnets_of(SubnetTier.PRIVATE)}
        else:
            self._create_vpc(plan)
        self.groups = SecurityGroups(
            self,
            "Groups",
            vpc_id=self.vpc_id,
            endpoint_clients_cidrs=self._plan.endpoint_clients_cidrs,
            has_efs=plan.storage is not None and plan.storage.has_mount_targets,
        )
        self._let_lustre_clients(plan)
        for endpoint in self._plan.endpoints:
            self._endpoint(endpoint)
        if self._plan.existing is None:
            FlowLog(self, "FlowLog", plan, vpc_id=self.vpc_id)
            self.publish(self.vpc_id, *self._private.values(), *self.groups.ids, *self._secondary.values())
        else:
            self.publish(*self.groups.ids)

    def _let_lustre_clients(self, plan: ClusterPlan) -> None:
        """Of workstations only where one mounts the file system."""
        lustre = plan.storage.lustre if plan.storage is not None else None
        mounts = any(each.lustre is not None for each in plan.workstations)
        if lustre is not None and lustre.existing is not None:
            self.groups.let_clients_use(lustre.existing.security_group_id, with_workstations=mounts)
        elif mounts:
            self.groups.let_workstations_use_lustre()

    def _create_vpc(self, plan: ClusterPlan) -> None:
        """VPC, subnets, routes and ways out."""
        vpc = ec2.CfnVPC(
            self,
            "Vpc",
            cidr_block=self._plan.cidr,
            enable_dns_hostnames=True,
            enable_dns_support=True,
            tags=_tags(Name=plan.name),
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
        self._private = {each.zone_id: self._private_subnet(each) for each in self._plan.subnets_of(SubnetTier.PRIVATE)}
        self._routes = {zone.zone_id: self._route_table(zone) for zone in self._plan.zones}
        self._secondary = {
            each.zone_id: self._secondary_subnet(each) for each in self._plan.subnets_of(SubnetTier.SECONDARY)
        }
        if self._plan.has_internet:
            self._ways_out()

    @property
    def network(self) -> NetworkPlan:
        return self._plan

    def private_subnet_id(self, zone_id: str) -> str:
        """The private subnet in this zone, as a token; the id of one that exists."""
        return self._private[zone_id]

    def private_subnet_ids(self, zone_ids: Sequence[str]) -> list[str]:
        """Those of several zones, in their order."""
        return [self.private_subnet_id(zone_id) for zone_id in zone_ids]

    def node_subnet_ids(self, group: NodeGroupPlan) -> list[str]:
        """The subnets of a node group, as tokens, in the order of its zones."""
        subnets = self._secondary if group.in_secondary_subnets else self._private
        return [subnets[zone_id] for zone_id in group.zone_ids]

    def private_routes_ids(self, zone_ids: Sequence[str]) -> list[str] | None:
        """The route tables of private subnets, as tokens; None in a VPC that exists, whose owner has them."""
        return [self._routes[zone_id] for zone_id in zone_ids] if self._routes else None

    def group_id(self, role: SecurityGroupRole) -> str:
        return self.groups.id_of(role)

    @property
    def security_group_ids(self) -> dict[SecurityGroupRole, str]:
        """Of every group of this stack; that of a control plane is its service's."""
        return self.groups.by_role

    def _private_subnet(self, plan: SubnetPlan) -> str:
        return ec2.CfnSubnet(
            self,
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
        block = ec2.CfnVPCCidrBlock(self, f"SecondaryCidr {name}", vpc_id=self.vpc_id, cidr_block=plan.cidr)
        subnet = ec2.CfnSubnet(
            self,
            f"Secondary {name}",
            vpc_id=self.vpc_id,
            cidr_block=plan.cidr,
            availability_zone_id=plan.zone_id,
            map_public_ip_on_launch=False,
            tags=_tags(Name=f"secondary {plan.zone_id}"),
        )
        subnet.add_resource_dependency(block)
        ec2.CfnSubnetRouteTableAssociation(
            self, f"SecondaryRoutesOf {name}", route_table_id=self._routes[plan.zone_id], subnet_id=subnet.ref
        )
        return subnet.ref

    def _route_table(self, zone: ZonePlan) -> str:
        table = ec2.CfnRouteTable(
            self, f"PrivateRoutes {zone.zone_id}", vpc_id=self.vpc_id, tags=_tags(Name=f"private {zone.zone_id}")
        ).ref
        ec2.CfnSubnetRouteTableAssociation(
            self,
            f"PrivateRoutesOf {zone.zone_id}",
            route_table_id=table,
            subnet_id=self._private[zone.zone_id],
        )
        return table

    def _ways_out(self) -> None:
        """Internet gateway, public subnets, NAT gateways, and the routes to them."""
        gateway = ec2.CfnInternetGateway(self, "InternetGateway")
        attachment = ec2.CfnVPCGatewayAttachment(
            self, "InternetGatewayAttachment", vpc_id=self.vpc_id, internet_gateway_id=gateway.ref
        )
        public_routes = ec2.CfnRouteTable(self, "PublicRoutes", vpc_id=self.vpc_id, tags=_tags(Name="public")).ref
        to_internet = ec2.CfnRoute(
            self,
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
                ec2.CfnRoute(
                    self,
                    f"PrivateRouteToNat {zone.zone_id}",
                    route_table_id=self._routes[zone.zone_id],
                    destination_cidr_block="0.0.0.0/0",
                    nat_gateway_id=nat_gateways[zone.nat_zone_id],
                )

    def _public_subnet(self, plan: SubnetPlan, routes: str) -> str:
        subnet = ec2.CfnSubnet(
            self,
            f"Public {plan.zone_id}",
            vpc_id=self.vpc_id,
            cidr_block=plan.cidr,
            availability_zone_id=plan.zone_id,
            map_public_ip_on_launch=False,
            tags=_tags(Name=f"public {plan.zone_id}", **{"kubernetes.io/role/elb": "1"}),
        ).ref
        ec2.CfnSubnetRouteTableAssociation(
            self, f"PublicRoutesOf {plan.zone_id}", route_table_id=routes, subnet_id=subnet
        )
        return subnet

    def _nat_gateway(self, subnet: str, zone: ZonePlan, to_internet: ec2.CfnRoute) -> str:
        address = ec2.CfnEIP(self, f"NatAddress {zone.zone_id}", domain="vpc")
        nat = ec2.CfnNatGateway(
            self,
            f"NatGateway {zone.zone_id}",
            subnet_id=subnet,
            allocation_id=address.attr_allocation_id,
            tags=_tags(Name=zone.zone_id),
        )
        nat.add_resource_dependency(to_internet)
        return nat.ref

    def _endpoint(self, endpoint: EndpointPlan) -> None:
        name = endpoint.service_name
        if endpoint.is_gateway:
            ec2.CfnVPCEndpoint(
                self,
                f"Endpoint {endpoint.service}",
                vpc_id=self.vpc_id,
                service_name=name,
                vpc_endpoint_type="Gateway",
                route_table_ids=list(self._routes.values()),
            )
            return
        ec2.CfnVPCEndpoint(
            self,
            f"Endpoint {endpoint.service}",
            vpc_id=self.vpc_id,
            service_name=name,
            vpc_endpoint_type="Interface",
            private_dns_enabled=True,
            subnet_ids=list(self._private.values()),
            security_group_ids=[self.group_id(SecurityGroupRole.ENDPOINT)],
        )


def _tags(**tags: str) -> list[cdk.CfnTag]:
    return [cdk.CfnTag(key=key, value=value) for key, value in tags.items()]
