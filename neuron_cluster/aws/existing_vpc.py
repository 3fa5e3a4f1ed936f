"""A VPC that exists: its ranges, DNS attributes, endpoints, subnets and their default routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

EVERYWHERE = "0.0.0.0/0"
NO_ROUTE = "none"


class VpcSubnet(Struct, frozen=True):
    """``route`` is the target of the default route: ``nat``, ``internet_gateway``, ``other``, or ``none``."""

    id: str
    vpc_id: str
    zone_id: str
    cidr: str
    free_addresses: int
    tags: Mapping[str, str]
    route: str


class VpcEndpoint(Struct, frozen=True):
    """``service`` is the name without prefix: ``ecr.api``."""

    id: str
    service: str
    has_private_dns: bool


class ExistingVpc(Struct, frozen=True):
    """``cidrs`` are the associated IPv4 ranges, the primary one first."""

    id: str
    cidrs: tuple[str, ...]
    has_dns_support: bool
    has_dns_hostnames: bool
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
            route=_default_route(row["SubnetId"], tables),
        )
        for row in rows
    )
    return {each.id: each for each in found}


def _default_route(subnet_id: str, tables: Iterable[Mapping[str, Any]]) -> str:
    """Of the subnet's own route table, else of the main one."""
    own: Mapping[str, Any] = {}
    main: Mapping[str, Any] = {}
    for table in tables:
        for association in table.get("Associations", ()):
            own = table if association.get("SubnetId") == subnet_id else own
            main = table if association.get("Main") else main
    routes = (own or main).get("Routes", ())
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
    return VpcEndpoint(row["VpcEndpointId"], service, bool(row.get("PrivateDnsEnabled")))


def _named(name: str, *values: str) -> dict[str, Any]:
    return {"Name": name, "Values": list(values)}
