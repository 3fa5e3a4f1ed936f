"""A VPC that exists, for tests: the edits that name it, and the lock that has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neuron_cluster.lock.model import Lock, LockedNetwork, LockedSubnet
from neuron_cluster.lock.paths import lock_path, locks_beside
from neuron_cluster.lock.writer import lock_text, write_lock

SHIPPED = frozenset({"existing-vpc"})
"""The shipped environments with resources that exist: without them no deploy succeeds."""
VPC = "vpc-0123456789abcdef0"
LUSTRE_PORTS = ((988, 988), (1018, 1023))
ROUTES = {"private": "nat", "public": "internet_gateway"}


def existing_vpc(*zones: str, public: str | None = None, **network: Any) -> dict[str, Any]:
    """Edits: a private subnet in each of the zones, and a public one; ``network`` are further keys of the section."""
    places = [(zone, "private") for zone in zones] + ([(public, "public")] if public else [])
    subnets = [
        {"id": f"subnet-0123456789abcdef{position}", "availability_zone": zone, "kind": kind}
        for position, (zone, kind) in enumerate(places)
    ]
    return {"network": {"existing": {"vpc_id": VPC, "subnets": subnets}, **network}}


KEY = "arn:aws:kms:us-west-2:111122223333:key"
ALL_EXISTING = {
    **existing_vpc("usw2-az4", "usw2-az1", public="usw2-az1", endpoints=["ecr.api"]),
    "storage.key_arn": f"{KEY}/99999999-8888-7777-6666-555555555555",
    "storage.checkpoint_bucket": {
        "existing": {"name": "team-checkpoints", "key_arn": f"{KEY}/00000000-1111-2222-3333-444444444444"}
    },
    "storage.compile_cache": {},
    "storage.homes": [{"name": "alice", "availability_zone": "usw2-az4", "size_gib": 100}],
    "storage.lustre": {
        "availability_zone": "usw2-az4",
        "capacity_gib": 4800,
        "throughput_mbps_per_tib": 250,
        "existing": {
            "file_system_id": "fs-0123456789abcdef0",
            "dns_name": "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
            "mount_name": "fsx",
            "security_group_id": "sg-0123456789abcdef0",
        },
    },
    "eks.addons.mountpoint_s3_csi_driver": True,
    "eks.namespaces": [{"name": "default", "claims": ["lustre", "datasets"]}],
}
"""Edits of train-trn1: every part that can exist does; a home is what the key encrypts."""


def locked_network(tree: Any, *, route: str | None = None, endpoints: tuple[str, ...] = ()) -> LockedNetwork:
    """Returns the VPC of a file as `lock` would pin it; ``route`` is the default route of every subnet."""
    existing = tree["network"]["existing"]
    return LockedNetwork(
        vpc_id=existing["vpc_id"],
        cidrs=("10.60.0.0/16",),
        endpoints=endpoints,
        subnets={
            each["id"]: LockedSubnet(
                each["availability_zone"], f"10.60.{32 * position}.0/19", route or ROUTES[each["kind"]]
            )
            for position, each in enumerate(existing["subnets"])
        },
    )


def write_lock_of(file: Path, tree: Any) -> None:
    """Writes the lock next to an environment file, with only its VPC."""
    version = str(tree["eks"]["version"]) if "eks" in tree else None
    lock = Lock(tree["name"], str(tree["account"]), tree["region"], version, network=locked_network(tree))
    write_lock(lock_path(locks_beside(file), lock.environment), lock_text(lock, {}, "a test"))


def account_vpc(ec2: Any) -> dict[str, Any]:
    """Creates a VPC with two private subnets, a public one and an endpoint; the section of the file that names it."""
    places = (
        ("10.70.0.0/20", "usw2-az1", "private"),
        ("10.70.16.0/20", "usw2-az2", "private"),
        ("10.70.32.0/24", "usw2-az1", "public"),
    )
    vpc_id, subnets = made_vpc(ec2, "10.70.0.0/16", places)
    group = ec2.create_security_group(GroupName="endpoints", Description="Endpoints", VpcId=vpc_id)["GroupId"]
    https = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "IpRanges": [{"CidrIp": "10.70.0.0/16"}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[https])
    ec2.create_vpc_endpoint(
        VpcId=vpc_id,
        VpcEndpointType="Interface",
        ServiceName="com.amazonaws.us-west-2.ecr.api",
        SubnetIds=subnets[:2],
        SecurityGroupIds=[group],
        PrivateDnsEnabled=True,
    )
    rows = zip(subnets, places, strict=True)
    return {
        "existing": {
            "vpc_id": vpc_id,
            "subnets": [{"id": each, "availability_zone": zone, "kind": kind} for each, (_, zone, kind) in rows],
        }
    }


def made_vpc(ec2: Any, cidr: str, places: Sequence[tuple[str, str, str]]) -> tuple[str, list[str]]:
    """Creates a VPC with a subnet in each place: CIDR block, zone id, kind. The ids of the VPC and of the subnets.

    Private subnets have their default route to a NAT gateway in the last one, which is public.
    """
    vpc_id = ec2.create_vpc(CidrBlock=cidr)["Vpc"]["VpcId"]
    for attribute in ("EnableDnsSupport", "EnableDnsHostnames"):
        ec2.modify_vpc_attribute(VpcId=vpc_id, **{attribute: {"Value": True}})
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc_id)
    subnets = [
        ec2.create_subnet(VpcId=vpc_id, CidrBlock=of_subnet, AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
        for of_subnet, zone, _ in places
    ]
    address = ec2.allocate_address(Domain="vpc")["AllocationId"]
    nat = ec2.create_nat_gateway(SubnetId=subnets[-1], AllocationId=address)["NatGateway"]["NatGatewayId"]
    for kind, target in (("private", {"NatGatewayId": nat}), ("public", {"GatewayId": gateway})):
        table = ec2.create_route_table(VpcId=vpc_id)["RouteTable"]["RouteTableId"]
        ec2.create_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", **target)
        for subnet, (_, _, of_subnet) in zip(subnets, places, strict=True):
            if of_subnet == kind:
                ec2.associate_route_table(RouteTableId=table, SubnetId=subnet)
    return vpc_id, subnets


def existing_lustre_in(ec2: Any, fsx: Any, section: dict[str, Any]) -> dict[str, Any]:
    """Creates a file system in the first subnet of a VPC; the section of the file that names it."""
    first = section["existing"]["subnets"][0]
    group = ec2.create_security_group(
        GroupName="team-lustre", Description="Lustre of the team", VpcId=section["existing"]["vpc_id"]
    )["GroupId"]
    itself = [{"GroupId": group}]
    ports = [{"IpProtocol": "tcp", "FromPort": a, "ToPort": b, "UserIdGroupPairs": itself} for a, b in LUSTRE_PORTS]
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=ports)
    row = fsx.create_file_system(
        FileSystemType="LUSTRE",
        FileSystemTypeVersion="2.15",
        StorageCapacity=1200,
        StorageType="SSD",
        SubnetIds=[first["id"]],
        SecurityGroupIds=[group],
        LustreConfiguration={"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125},
        Tags=[{"Key": "team", "Value": "ml"}],
    )["FileSystem"]
    return {
        "availability_zone": first["availability_zone"],
        "capacity_gib": 1200,
        "throughput_mbps_per_tib": 125,
        "existing": {
            "file_system_id": row["FileSystemId"],
            "dns_name": row["DNSName"],
            "mount_name": row["LustreConfiguration"]["MountName"],
            "security_group_id": group,
        },
    }
