"""The contents of a VPC that prevent the deletion of the VPC, its subnets and security groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError
from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

NOT_FREE = frozenset({"InvalidNetworkInterfaceID.NotFound", "InvalidParameterValue", "InvalidNetworkInterface.InUse"})


class NetworkInterface(Struct, frozen=True):
    id: str
    description: str
    kind: str
    """``interface``, ``efa``, ``nat_gateway``, ``vpc_endpoint``, …"""
    subnet_id: str
    is_attached: bool
    security_group_ids: tuple[str, ...] = ()
    goes_with: str = ""
    """The instance with whose end EC2 deletes it."""


class SecurityGroup(Struct, frozen=True):
    id: str
    name: str


class ClaimedVolume(Struct, frozen=True):
    """A volume that the EBS CSI driver created for a PersistentVolumeClaim."""

    id: str
    size_gib: int
    claim: str
    """``namespace/name``; empty when its tags do not contain them."""


def interfaces(target: Target, vpc_id: str) -> list[NetworkInterface]:
    return _interfaces(target, _in_vpc(vpc_id))


def interfaces_of_groups(target: Target, group_ids: Sequence[str]) -> list[NetworkInterface]:
    """Returns the network interfaces with one of these security groups."""
    return _interfaces(target, {"Name": "group-id", "Values": list(group_ids)})


def _interfaces(target: Target, where: dict[str, Any]) -> list[NetworkInterface]:
    rows = _pages(target, "describe_network_interfaces", "NetworkInterfaces", [where])
    return [
        NetworkInterface(
            id=row["NetworkInterfaceId"],
            description=row.get("Description", ""),
            kind=row.get("InterfaceType", "interface"),
            subnet_id=row.get("SubnetId", ""),
            is_attached=row.get("Status") == "in-use",
            security_group_ids=tuple(group["GroupId"] for group in row.get("Groups", ())),
            goes_with=_instance(row.get("Attachment", {})),
        )
        for row in rows
    ]


def _instance(attachment: Mapping[str, Any]) -> str:
    return str(attachment.get("InstanceId", "")) if attachment.get("DeleteOnTermination") else ""


def delete_interface(target: Target, interface_id: str) -> None:
    """Deletes an available network interface; one that is deleted, or in use again, is not an error."""
    with translated():
        try:
            client(target, "ec2").delete_network_interface(NetworkInterfaceId=interface_id)
        except ClientError as error:
            if error.response["Error"]["Code"] not in NOT_FREE:
                raise


def security_groups(target: Target, vpc_id: str) -> list[SecurityGroup]:
    """Without the VPC's default security group, which AWS deletes with the VPC."""
    rows = _pages(target, "describe_security_groups", "SecurityGroups", [_in_vpc(vpc_id)])
    return [SecurityGroup(row["GroupId"], row["GroupName"]) for row in rows if row["GroupName"] != "default"]


def claimed_volumes(target: Target, cluster_name: str) -> list[ClaimedVolume]:
    """Volumes with the tags that the driver writes when the cluster's name is set (its docs/tagging.md)."""
    filters = [
        {"Name": "tag-key", "Values": ["CSIVolumeName"]},
        {"Name": f"tag:kubernetes.io/cluster/{cluster_name}", "Values": ["owned"]},
    ]
    rows = _pages(target, "describe_volumes", "Volumes", filters)
    return [ClaimedVolume(row["VolumeId"], row["Size"], _claim(row)) for row in rows]


def _claim(row: dict[str, Any]) -> str:
    tags = {tag["Key"]: tag["Value"] for tag in row.get("Tags", ())}
    names = [tags.get(f"kubernetes.io/created-for/pvc/{part}", "") for part in ("namespace", "name")]
    return "/".join(names) if all(names) else ""


def _in_vpc(vpc_id: str) -> dict[str, Any]:
    return {"Name": "vpc-id", "Values": [vpc_id]}


def _pages(target: Target, operation: str, key: str, filters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with translated():
        pages = client(target, "ec2").get_paginator(operation).paginate(Filters=filters)
        return [row for page in pages for row in page[key]]
