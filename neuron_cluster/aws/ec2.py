"""Subnets, launch templates, instances and volumes of EC2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


class Subnet(Struct, frozen=True):
    id: str
    zone_id: str
    cidr: str
    name: str
    """Its Name tag; empty without one."""
    free_addresses: int


class LaunchTemplateVersion(Struct, frozen=True):
    id: str
    version: int
    efa_cards: tuple[int, ...]
    """Network cards whose interface is of an EFA kind."""
    placement_group: str


class Instance(Struct, frozen=True):
    id: str
    name: str
    """Its Name tag; empty without one."""
    type: str
    image_id: str
    zone_id: str
    state: str
    private_address: str


class NamedInstance(Struct, frozen=True):
    id: str
    state: str
    launched: datetime


class Volume(Struct, frozen=True):
    id: str
    name: str
    """Its Name tag; empty without one."""
    size_gib: int
    zone_id: str
    state: str
    is_encrypted: bool


def instances(target: Target, ids: Sequence[str]) -> list[Instance]:
    """These instances, by name."""
    if not ids:
        return []
    with translated():
        reservations = client(target, "ec2").describe_instances(InstanceIds=list(ids))["Reservations"]
    found = [
        Instance(
            id=row["InstanceId"],
            name=_name(row),
            type=row["InstanceType"],
            image_id=row["ImageId"],
            zone_id=row["Placement"]["AvailabilityZoneId"],
            state=row["State"]["Name"],
            private_address=row.get("PrivateIpAddress", ""),
        )
        for reservation in reservations
        for row in reservation["Instances"]
    ]
    return sorted(found, key=lambda instance: instance.name)


def running_instances(target: Target, name: str) -> list[str]:
    """Ids of the running instances with this Name tag."""
    filters = [{"Name": "tag:Name", "Values": [name]}, {"Name": "instance-state-name", "Values": ["running"]}]
    with translated():
        pages = client(target, "ec2").get_paginator("describe_instances").paginate(Filters=filters)
        found = [row for page in pages for reservation in page["Reservations"] for row in reservation["Instances"]]
    return sorted(row["InstanceId"] for row in found)


def named_instances(target: Target, name: str) -> list[NamedInstance]:
    """All with this Name tag that EC2 lists, also those that have ended."""
    filters = [{"Name": "tag:Name", "Values": [name]}]
    with translated():
        pages = client(target, "ec2").get_paginator("describe_instances").paginate(Filters=filters)
        rows = [row for page in pages for reservation in page["Reservations"] for row in reservation["Instances"]]
    return [NamedInstance(row["InstanceId"], row["State"]["Name"], row["LaunchTime"]) for row in rows]


def volumes(target: Target, ids: Sequence[str]) -> list[Volume]:
    """The existing ones of these volumes, by name."""
    if not ids:
        return []
    with translated():
        named = [{"Name": "volume-id", "Values": list(ids)}]  # as ids, one that is gone would be an error
        rows = client(target, "ec2").describe_volumes(Filters=named)["Volumes"]
    found = [
        Volume(
            id=row["VolumeId"],
            name=_name(row),
            size_gib=row["Size"],
            zone_id=row["AvailabilityZoneId"],
            state=row["State"],
            is_encrypted=row["Encrypted"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda volume: volume.name)


def attached_instances(target: Target, volume_id: str) -> list[str]:
    """Ids of the instances to which a volume is attached."""
    with translated():
        named = [{"Name": "volume-id", "Values": [volume_id]}]
        rows = client(target, "ec2").describe_volumes(Filters=named)["Volumes"]
    return sorted(each["InstanceId"] for row in rows for each in row["Attachments"])


def delete_volume(target: Target, volume_id: str) -> None:
    """Deletes a volume. Raises ``ToolkitError`` when it is in use."""
    with translated():
        client(target, "ec2").delete_volume(VolumeId=volume_id)


def _name(row: Mapping[str, Any]) -> str:
    return next((tag["Value"] for tag in row.get("Tags", ()) if tag["Key"] == "Name"), "")


def subnets(target: Target, ids: Sequence[str]) -> list[Subnet]:
    """These subnets, by address."""
    if not ids:
        return []
    with translated():
        rows = client(target, "ec2").describe_subnets(SubnetIds=list(ids))["Subnets"]
    found = [
        Subnet(
            id=row["SubnetId"],
            zone_id=row["AvailabilityZoneId"],
            cidr=row["CidrBlock"],
            name=_name(row),
            free_addresses=row["AvailableIpAddressCount"],
        )
        for row in rows
    ]
    return sorted(found, key=lambda subnet: [int(part) for part in subnet.cidr.partition("/")[0].split(".")])


def launch_template_version(target: Target, template_id: str, version: str) -> LaunchTemplateVersion:
    """One version of a launch template."""
    with translated():
        answer = client(target, "ec2").describe_launch_template_versions(
            LaunchTemplateId=template_id, Versions=[version]
        )
    row: dict[str, Any] = answer["LaunchTemplateVersions"][0]
    data = row["LaunchTemplateData"]
    cards = (
        interface.get("NetworkCardIndex", 0)
        for interface in data.get("NetworkInterfaces", ())
        if str(interface.get("InterfaceType", "interface")).startswith("efa")
    )
    placement = data.get("Placement", {})
    return LaunchTemplateVersion(
        id=row["LaunchTemplateId"],
        version=row["VersionNumber"],
        efa_cards=tuple(sorted(cards)),
        placement_group=placement.get("GroupName") or placement.get("GroupId") or "",
    )
