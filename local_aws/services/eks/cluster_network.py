"""Where a control plane lives: its subnets, its groups, the group of its own and its network interfaces."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from ipaddress import ip_network
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.knowledge.current import knowledge, limit
from local_aws.service import Call
from local_aws.service_enis import hold_interfaces, release_interfaces
from local_aws.services.eks.tables import Row

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
        raise api_error("eks.ec2_words", words=error.response["Error"]["Message"]) from error
    return subnets


def require_groups(call: Call, group_ids: Sequence[str], vpc_id: str) -> None:
    if not group_ids:
        return
    try:
        groups = call.client("ec2").describe_security_groups(GroupIds=list(group_ids))["SecurityGroups"]
    except ClientError as error:
        raise api_error("eks.ec2_words", words=error.response["Error"]["Message"]) from error
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
"""What CreateCluster takes when nothing is said (botocore eks model, VpcConfigRequest)."""


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
