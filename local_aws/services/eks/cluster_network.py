"""The network of a cluster: subnets, groups, interfaces, and the blocks of addresses of services and on premises."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, ip_network
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import knowledge, limit
from local_aws.service_enis import hold_interfaces, release_interfaces
from local_aws.services.eks.tables import Row

PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""Where services may have their addresses (botocore eks model, serviceIpv4Cidr)."""
REMOTE_BLOCKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
"""Where nodes and pods on premises may have their addresses: RFC 1918 and carrier-grade NAT.

https://docs.aws.amazon.com/eks/latest/APIReference/API_RemoteNodeNetwork.html
"""


def service_network(call: Call, given: Mapping[str, Any], vpc_id: str) -> Row:
    """kubernetesNetworkConfig; without a CIDR of its own EKS takes one of two that the VPC does not use."""
    vpc = call.client("ec2").describe_vpcs(VpcIds=[vpc_id])["Vpcs"][0]
    vpc_networks = [ip_network(each["CidrBlock"]) for each in vpc["CidrBlockAssociationSet"]]
    network = {"ipFamily": "ipv4", **given}
    network["elasticLoadBalancing"] = {"enabled": False, **given.get("elasticLoadBalancing", {})}
    if network["ipFamily"] == "ipv6":
        return {**network, "serviceIpv6Cidr": f"fd{secrets.token_hex(1)}:{secrets.token_hex(2)}::/108"}
    if "serviceIpv4Cidr" in given:
        wanted = _service_block(given["serviceIpv4Cidr"])
        if any(wanted.overlaps(each) for each in vpc_networks):
            raise api_error("eks.services_overlap", block=wanted)
        return network
    uses_ten = any(each.overlaps(ip_network("10.0.0.0/8")) for each in vpc_networks)
    return {**network, "serviceIpv4Cidr": "172.20.0.0/16" if uses_ten else "10.100.0.0/16"}


def service_blocks(cluster: Mapping[str, Any]) -> list[IPv4Network]:
    """Addresses of the cluster's services."""
    cidr = cluster["kubernetesNetworkConfig"].get("serviceIpv4Cidr")
    return [IPv4Network(cidr)] if cidr else []


def _service_block(cidr: str) -> IPv4Network:
    """The block of a request: private, and of a size that EKS takes."""
    sizes = limit("eks_service_cidr_prefix")
    try:
        wanted = IPv4Network(cidr)
    except ValueError as error:
        raise api_error("eks.services_malformed", cidr=cidr, problem=error) from error
    if not any(wanted.subnet_of(IPv4Network(each)) for each in PRIVATE):
        raise api_error("eks.services_public", cidr=cidr, private=", ".join(PRIVATE))
    if not (sizes.minimum or 0) <= wanted.prefixlen <= (sizes.maximum or wanted.prefixlen):
        raise api_error("eks.services_size", cidr=cidr, maximum=sizes.maximum, minimum=sizes.minimum)
    return wanted


def require_remote_networks(remote: Mapping[str, Any], taken: list[IPv4Network]) -> None:
    """Nodes first; each block of addresses is private, and no two of them overlap, nor one with those taken."""
    used: list[tuple[IPv4Network, str]] = [(each, "service CIDR") for each in taken]
    for kind, block in _remote_blocks(remote):
        if not any(block.subnet_of(IPv4Network(each)) for each in REMOTE_BLOCKS):
            raise api_error("eks.remote_network_public", kind=kind, block=block)
        for other, what in used:
            if block.overlaps(other):
                raise api_error("eks.remote_network_overlap", kind=kind, block=block, what=what, other=other)
        used.append((block, "already existing CIDR"))


def _remote_blocks(remote: Mapping[str, Any]) -> Iterator[tuple[str, IPv4Network]]:
    for kind in ("node", "pod"):
        for each in remote.get(f"remote{kind.title()}Networks", []):
            for cidr in each.get("cidrs", []):
                try:
                    yield kind, IPv4Network(cidr)
                except ValueError as error:
                    raise api_error("eks.remote_network_malformed", kind=kind, cidr=cidr, problem=error) from error


ANYWHERE = "0.0.0.0/0"
GROUP_DESCRIPTION = (
    "EKS created security group applied to ENI that is attached to EKS Control Plane master nodes, "
    "as well as any managed workloads."
)


def require_subnets(call: Call, subnet_ids: Sequence[str]) -> list[dict[str, Any]]:
    """The subnets as EC2 returns them: of one VPC, in two zones and none without support for control planes."""
    subnets = described_subnets(call, subnet_ids)
    if len({subnet["VpcId"] for subnet in subnets}) > 1:
        raise api_error("eks.subnets_of_several_vpcs")
    zone_ids = {subnet["AvailabilityZoneId"] for subnet in subnets}
    if len(zone_ids) < limit("eks_control_plane_subnets").require_minimum():
        raise api_error("eks.subnets_in_one_zone")
    region = knowledge().regions.get(call.region)
    if excluded := zone_ids.intersection(region.eks_control_plane_excluded if region is not None else ()):
        raise api_error("eks.subnet_in_excluded_zone", zone_id=min(excluded))
    return subnets


def described_subnets(call: Call, subnet_ids: Sequence[str]) -> list[dict[str, Any]]:
    try:
        subnets: list[dict[str, Any]] = call.client("ec2").describe_subnets(SubnetIds=list(subnet_ids))["Subnets"]
    except ClientError as error:
        raise api_error("eks.ec2_error", message=error.response["Error"]["Message"]) from error
    return subnets


def require_groups(call: Call, group_ids: Sequence[str], vpc_id: str) -> None:
    if not group_ids:
        return
    try:
        groups = call.client("ec2").describe_security_groups(GroupIds=list(group_ids))["SecurityGroups"]
    except ClientError as error:
        raise api_error("eks.ec2_error", message=error.response["Error"]["Message"]) from error
    foreign = [group["GroupId"] for group in groups if group["VpcId"] != vpc_id]
    if foreign:
        raise api_error("eks.groups_of_other_vpc", groups=", ".join(foreign))


def endpoint_access(given: Mapping[str, Any], current: Mapping[str, Any]) -> Row:
    """The three settings of the endpoint; what is not given stays."""
    public = given.get("endpointPublicAccess", current["endpointPublicAccess"])
    private = given.get("endpointPrivateAccess", current["endpointPrivateAccess"])
    if not public and not private:
        raise api_error("eks.no_endpoint_access")
    cidrs = given.get("publicAccessCidrs", current["publicAccessCidrs"])
    if invalid := [cidr for cidr in cidrs if not _is_block(cidr)]:
        raise api_error("eks.public_access_cidrs", cidrs=",".join(invalid))
    return {
        "endpointPublicAccess": public,
        "endpointPrivateAccess": private,
        "publicAccessCidrs": (list(cidrs) or [ANYWHERE]) if public else [],
    }


def _is_block(cidr: str) -> bool:
    """Which blocks of addresses EKS takes is not documented; what is no block it cannot take."""
    try:
        ip_network(cidr, strict=False)
    except ValueError:
        return False
    return "/" in cidr


NEW_ENDPOINT: Row = {"endpointPublicAccess": True, "endpointPrivateAccess": False, "publicAccessCidrs": [ANYWHERE]}
"""Defaults of CreateCluster (botocore eks model, VpcConfigRequest)."""


def create_cluster_group(call: Call, cluster_name: str, vpc_id: str) -> str:
    """The group of the cluster's own, whose members may talk to each other; its id."""
    ec2 = call.client("ec2")
    name = f"eks-cluster-sg-{cluster_name}-{secrets.randbelow(10**10)}"
    tags = {"Name": name, f"kubernetes.io/cluster/{cluster_name}": "owned"}
    group_id: str = ec2.create_security_group(
        GroupName=name,
        Description=GROUP_DESCRIPTION,
        VpcId=vpc_id,
        TagSpecifications=[
            {"ResourceType": "security-group", "Tags": [{"Key": key, "Value": tags[key]} for key in sorted(tags)]}
        ],
    )["GroupId"]
    ec2.authorize_security_group_ingress(
        GroupId=group_id, IpPermissions=[{"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group_id}]}]
    )
    return group_id


def remove_cluster_group(call: Call, group_id: str) -> None:
    """Removes the cluster's own group. One that a rule elsewhere still names outlives its cluster, as on AWS."""
    try:
        call.client("ec2").delete_security_group(GroupId=group_id)
    except ClientError as error:
        if error.response["Error"]["Code"] not in ("DependencyViolation", "InvalidGroup.NotFound"):
            raise


def hold_cluster_interfaces(call: Call, cluster: Row) -> None:
    """Interfaces in every subnet of the cluster (EKS takes two to four of them) with its own and the given groups."""
    network = cluster["resourcesVpcConfig"]
    groups = [network["clusterSecurityGroupId"], *network["securityGroupIds"]]
    description = f"Amazon EKS {cluster['name']}"
    held = hold_interfaces(call, network["subnetIds"], groups, description)
    release_cluster_interfaces(call, cluster["name"])
    call.table("interfaces")[cluster["name"]] = held


def release_cluster_interfaces(call: Call, cluster_name: str) -> None:
    release_interfaces(call, call.table("interfaces").pop(cluster_name, []))
