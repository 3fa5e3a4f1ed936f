"""Subnets and launch templates as EC2 tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from neuron_cluster.aws.refusals import translated
from neuron_cluster.aws.session import Target, client


@dataclass(frozen=True, slots=True)
class Subnet:
    id: str
    zone_id: str
    cidr: str
    name: str
    """Its Name tag; empty without one."""
    free_addresses: int


@dataclass(frozen=True, slots=True)
class LaunchTemplateVersion:
    id: str
    version: int
    efa_cards: tuple[int, ...]
    """Network cards whose interface is of an EFA kind."""
    placement_group: str


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
            name=next((tag["Value"] for tag in row.get("Tags", ()) if tag["Key"] == "Name"), ""),
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
