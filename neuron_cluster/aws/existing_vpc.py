"""A VPC that exists: its ranges, DNS attributes, tenancy, endpoints, subnets and their default routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

READ_ACTIONS = (
    "ec2:DescribeVpcs",
    "ec2:DescribeVpcAttribute",
    "ec2:DescribeVpcEndpoints",
    "ec2:DescribeDhcpOptions",
    "ec2:DescribeSubnets",
    "ec2:DescribeRouteTables",
)
"""IAM actions that the functions of this module need."""
EVERYWHERE = "0.0.0.0/0"
NO_ROUTE = "none"
GATEWAY = "Gateway"


class VpcSubnet(Struct, frozen=True):
    """``route`` is the target of the default route: ``nat``, ``internet_gateway``, ``other``, or ``none``."""

    id: str
    vpc_id: str
    zone_id: str
    cidr: str
    free_addresses: int
    tags: Mapping[str, str]
    route: str
    route_table_id: str
    """Its own route table, else the main one of the VPC; empty for a subnet of another VPC."""
    state: str
    """``available`` or ``pending``."""
    maps_public_addresses: bool
    """Whether EC2 gives an instance with one network interface a public address."""


class VpcEndpoint(Struct, frozen=True):
    """``service`` is the name without prefix: ``ecr.api``."""

    id: str
    service: str
    has_private_dns: bool
    is_gateway: bool
    state: str
    """``available``, ``pendingAcceptance``, …"""
    subnet_ids: tuple[str, ...]
    """Subnets of an interface endpoint."""
    group_ids: tuple[str, ...]
    """Security groups of an interface endpoint."""
    route_table_ids: tuple[str, ...]
    """Route tables of a gateway endpoint."""
    policy: str
    """JSON; empty where EC2 returns none."""


class ExistingVpc(Struct, frozen=True):
    """``cidrs`` are the associated IPv4 ranges, the primary one first."""

    id: str
    cidrs: tuple[str, ...]
    has_dns_support: bool
    has_dns_hostnames: bool
    tenancy: str
    """``default`` or ``dedicated``: of instances whose launch template has none."""
    name_servers: tuple[str, ...]
    """Name servers of its DHCP options; empty for those that EC2 uses without options."""
    dhcp_options_id: str
    endpoints: tuple[VpcEndpoint, ...]


def existing_vpc(target: Target, vpc_id: str) -> ExistingVpc | None:
    """None when the account has no such VPC in the Region. Raises ``ToolkitError`` for any other API error."""
    with translated():
        ec2 = client(target, "ec2")
        rows = ec2.describe_vpcs(Filters=[_named("vpc-id", vpc_id)])["Vpcs"]
        if not rows:
            return None
        support = ec2.describe_vpc_attribute(VpcId=vpc_id, Attribute="enableDnsSupport")
        hostnames = ec2.describe_vpc_attribute(VpcId=vpc_id, Attribute="enableDnsHostnames")
        pages = ec2.get_paginator("describe_vpc_endpoints").paginate(Filters=[_named("vpc-id", vpc_id)])
        endpoints = [_endpoint(row, target) for page in pages for row in page["VpcEndpoints"]]
        dhcp_options_id = rows[0].get("DhcpOptionsId", "")
        options = ec2.describe_dhcp_options(Filters=[_named("dhcp-options-id", dhcp_options_id)])["DhcpOptions"]
    associated = (
        each["CidrBlock"]
        for each in rows[0].get("CidrBlockAssociationSet", ())
        if each["CidrBlockState"]["State"] == "associated"
    )
    return ExistingVpc(
        id=vpc_id,
        cidrs=tuple(dict.fromkeys([rows[0]["CidrBlock"], *sorted(associated)])),
        has_dns_support=support["EnableDnsSupport"]["Value"],
        has_dns_hostnames=hostnames["EnableDnsHostnames"]["Value"],
        tenancy=rows[0].get("InstanceTenancy", "default"),
        name_servers=tuple(
            value["Value"]
            for option in options
            for each in option.get("DhcpConfigurations", ())
            if each["Key"] == "domain-name-servers"
            for value in each["Values"]
        ),
        dhcp_options_id=dhcp_options_id,
        endpoints=tuple(sorted(endpoints, key=lambda each: each.service)),
    )


def vpc_subnets(target: Target, ids: Sequence[str], vpc_id: str) -> dict[str, VpcSubnet]:
    """The existing ones of these subnets, by id; also of another VPC. A default route is that of ``vpc_id``."""
    with translated():
        ec2 = client(target, "ec2")
        rows = ec2.describe_subnets(Filters=[_named("subnet-id", *ids)])["Subnets"]
        pages = ec2.get_paginator("describe_route_tables").paginate(Filters=[_named("vpc-id", vpc_id)])
        tables = [table for page in pages for table in page["RouteTables"]]
    found = (
        VpcSubnet(
            id=row["SubnetId"],
            vpc_id=row["VpcId"],
            zone_id=row["AvailabilityZoneId"],
            cidr=row["CidrBlock"],
            free_addresses=row["AvailableIpAddressCount"],
            tags={tag["Key"]: tag["Value"] for tag in row.get("Tags", ())},
            route=_default_route(table),
            route_table_id=str(table.get("RouteTableId", "")) if row["VpcId"] == vpc_id else "",
            state=row.get("State", ""),
            maps_public_addresses=bool(row.get("MapPublicIpOnLaunch")),
        )
        for row in rows
        for table in [_table_of(row["SubnetId"], tables)]
    )
    return {each.id: each for each in found}


def vpc_tenancy(target: Target, vpc_id: str) -> str:
    """``default`` or ``dedicated``; empty for a VPC that does not exist."""
    with translated():
        rows = client(target, "ec2").describe_vpcs(Filters=[_named("vpc-id", vpc_id)])["Vpcs"]
    return str(rows[0].get("InstanceTenancy", "default")) if rows else ""


def _table_of(subnet_id: str, tables: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The subnet's own route table, else the main one."""
    own: Mapping[str, Any] = {}
    main: Mapping[str, Any] = {}
    for table in tables:
        for association in table.get("Associations", ()):
            own = table if association.get("SubnetId") == subnet_id else own
            main = table if association.get("Main") else main
    return own or main


def _default_route(table: Mapping[str, Any]) -> str:
    routes = table.get("Routes", ())
    return next((_target(each) for each in routes if each.get("DestinationCidrBlock") == EVERYWHERE), NO_ROUTE)


def _target(route: Mapping[str, Any]) -> str:
    """EC2 keeps a route whose gateway is deleted as a ``blackhole``."""
    if route.get("State") == "blackhole":
        return NO_ROUTE
    if route.get("NatGatewayId"):
        return "nat"
    return "internet_gateway" if str(route.get("GatewayId", "")).startswith("igw-") else "other"


def _endpoint(row: Mapping[str, Any], target: Target) -> VpcEndpoint:
    name = str(row["ServiceName"])
    service = name.partition(f".{target.region}.")[2] or name
    return VpcEndpoint(
        id=row["VpcEndpointId"],
        service=service,
        has_private_dns=bool(row.get("PrivateDnsEnabled")),
        is_gateway=row.get("VpcEndpointType", GATEWAY) == GATEWAY,
        state=row.get("State", ""),
        subnet_ids=tuple(row.get("SubnetIds", ())),
        group_ids=tuple(each["GroupId"] for each in row.get("Groups", ())),
        route_table_ids=tuple(row.get("RouteTableIds", ())),
        policy=row.get("PolicyDocument", ""),
    )


def _named(name: str, *values: str) -> dict[str, Any]:
    return {"Name": name, "Values": list(values)}
