"""Resources of EC2, RDS and VPC Lattice in a VPC that prevent its deletion, by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

GONE = frozenset({"deleted", "deleting", "terminated", "shutting-down", "rejected", "expired", "failed"})
"""States of what is no longer there, or goes by itself."""
ATTACHED = "attachment.vpc-id"


class VpcResource(Struct, frozen=True):
    """One resource. ``tags`` are those of EC2."""

    id: str
    detail: str = ""
    tags: Mapping[str, str] = {}


class GroupRule(Struct, frozen=True):
    """A rule of a security group that refers to a group."""

    id: str
    group_id: str
    referred_id: str
    is_egress: bool


class Database(Struct, frozen=True):
    """An instance of a database. ``cluster`` and ``source``, of which it is a read replica, may be empty."""

    id: str
    engine: str
    cluster: str
    source: str


def endpoints(target: Target, vpc_id: str) -> list[VpcResource]:
    """VPC endpoints of every type, with the service."""
    rows = _listed(target, "describe_vpc_endpoints", "VpcEndpoints", vpc_id)
    return [_resource(row, "VpcEndpointId", row.get("ServiceName", "")) for row in rows if _stays(row.get("State"))]


def nat_gateways(target: Target, vpc_id: str) -> list[VpcResource]:
    rows = _listed(target, "describe_nat_gateways", "NatGateways", vpc_id)
    return [_resource(row, "NatGatewayId", row.get("SubnetId", "")) for row in rows if _stays(row.get("State"))]


def instances(target: Target, vpc_id: str) -> list[VpcResource]:
    reservations = _listed(target, "describe_instances", "Reservations", vpc_id)
    rows = [row for each in reservations for row in each["Instances"]]
    return [
        _resource(row, "InstanceId", row.get("InstanceType", "")) for row in rows if _stays(row["State"].get("Name"))
    ]


def peerings(target: Target, vpc_id: str) -> list[VpcResource]:
    """Peering connections that the VPC has requested or accepted."""
    operation, key = "describe_vpc_peering_connections", "VpcPeeringConnections"
    sides = ("requester-vpc-info.vpc-id", "accepter-vpc-info.vpc-id")
    rows = {
        row["VpcPeeringConnectionId"]: row for each in sides for row in _listed(target, operation, key, vpc_id, each)
    }
    return [
        _resource(row, "VpcPeeringConnectionId") for row in rows.values() if _stays(row.get("Status", {}).get("Code"))
    ]


def internet_gateways(target: Target, vpc_id: str) -> list[VpcResource]:
    rows = _listed(target, "describe_internet_gateways", "InternetGateways", vpc_id, ATTACHED)
    return [_resource(row, "InternetGatewayId") for row in rows]


def egress_only_gateways(target: Target, vpc_id: str) -> list[VpcResource]:
    """EC2 filters them by tag alone."""
    with translated():
        pages = client(target, "ec2").get_paginator("describe_egress_only_internet_gateways").paginate()
        rows = [row for page in pages for row in page["EgressOnlyInternetGateways"]]
    attached = (row for row in rows if any(each.get("VpcId") == vpc_id for each in row.get("Attachments", ())))
    return [_resource(row, "EgressOnlyInternetGatewayId") for row in attached]


def vpn_gateways(target: Target, vpc_id: str) -> list[VpcResource]:
    """Virtual private gateways that are attached; EC2 returns all in one answer."""
    with translated():
        where = [{"Name": ATTACHED, "Values": [vpc_id]}]
        rows = client(target, "ec2").describe_vpn_gateways(Filters=where)["VpnGateways"]
    return [
        _resource(row, "VpnGatewayId")
        for row in rows
        if any(
            each.get("VpcId") == vpc_id and each.get("State") in ("attaching", "attached")
            for each in row.get("VpcAttachments", ())
        )
    ]


def carrier_gateways(target: Target, vpc_id: str) -> list[VpcResource]:
    rows = _listed(target, "describe_carrier_gateways", "CarrierGateways", vpc_id)
    return [_resource(row, "CarrierGatewayId") for row in rows if _stays(row.get("State"))]


def subnets(target: Target, vpc_id: str) -> list[VpcResource]:
    rows = _listed(target, "describe_subnets", "Subnets", vpc_id)
    return [_resource(row, "SubnetId", row.get("CidrBlock", "")) for row in rows]


def route_tables(target: Target, vpc_id: str) -> list[VpcResource]:
    """Without the main one, which goes with the VPC."""
    rows = _listed(target, "describe_route_tables", "RouteTables", vpc_id)
    return [_resource(row, "RouteTableId") for row in rows if not any(each.get("Main") for each in row["Associations"])]


def network_acls(target: Target, vpc_id: str) -> list[VpcResource]:
    """Without the default one, which goes with the VPC."""
    rows = _listed(target, "describe_network_acls", "NetworkAcls", vpc_id)
    return [_resource(row, "NetworkAclId") for row in rows if not row.get("IsDefault")]


def groups(target: Target, vpc_id: str) -> list[VpcResource]:
    """Security groups with their names, the default one too."""
    rows = _listed(target, "describe_security_groups", "SecurityGroups", vpc_id)
    return [_resource(row, "GroupId", row["GroupName"]) for row in rows]


def references_to(target: Target, group_ids: Sequence[str]) -> list[GroupRule]:
    """Rules of all groups of the account, in other VPCs too, that refer to one of these groups."""
    holders = {
        row["GroupId"]
        for name in ("ip-permission.group-id", "egress.ip-permission.group-id")
        for row in _pages(target, "describe_security_groups", "SecurityGroups", name, group_ids)
    }
    if not holders:
        return []
    rules = _pages(target, "describe_security_group_rules", "SecurityGroupRules", "group-id", sorted(holders))
    found = [
        GroupRule(
            row["SecurityGroupRuleId"],
            row["GroupId"],
            row.get("ReferencedGroupInfo", {}).get("GroupId", ""),
            bool(row.get("IsEgress")),
        )
        for row in rules
    ]
    return [rule for rule in found if rule.referred_id in group_ids]


def databases(target: Target, vpc_id: str) -> list[Database]:
    """Instances of RDS, Neptune and DocumentDB."""
    with translated():
        pages = client(target, "rds").get_paginator("describe_db_instances").paginate()
        rows = [row for page in pages for row in page["DBInstances"]]
    return [
        Database(
            row["DBInstanceIdentifier"],
            row.get("Engine", ""),
            row.get("DBClusterIdentifier", ""),
            row.get("ReadReplicaSourceDBInstanceIdentifier", ""),
        )
        for row in rows
        if row.get("DBSubnetGroup", {}).get("VpcId") == vpc_id
    ]


def lattice_associations(target: Target, vpc_id: str) -> list[VpcResource]:
    """Associations of the VPC with service networks of VPC Lattice."""
    with translated():
        pages = client(target, "vpc-lattice").get_paginator("list_service_network_vpc_associations")
        rows = [row for page in pages.paginate(vpcIdentifier=vpc_id) for row in page.get("items", ())]
    return [VpcResource(row["id"], row.get("serviceNetworkName", "")) for row in rows]


def _resource(row: Mapping[str, Any], key: str, detail: str = "") -> VpcResource:
    return VpcResource(row[key], detail, {tag["Key"]: tag["Value"] for tag in row.get("Tags", ())})


def _stays(state: Any) -> bool:
    return str(state).lower() not in GONE


def _listed(target: Target, operation: str, key: str, vpc_id: str, name: str = "vpc-id") -> list[dict[str, Any]]:
    return list(_pages(target, operation, key, name, [vpc_id]))


def _pages(target: Target, operation: str, key: str, name: str, values: Sequence[str]) -> Iterator[dict[str, Any]]:
    with translated():
        pages = client(target, "ec2").get_paginator(operation)
        yield from (row for page in pages.paginate(Filters=[{"Name": name, "Values": [*values]}]) for row in page[key])
