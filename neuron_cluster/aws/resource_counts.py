"""How many resources of a kind an account has in the Region, as quotas count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

GIB_IN_TIB = 1024


def rows(target: Target, service: str, operation: str, member: str, **given: Any) -> Iterator[Any]:
    """The rows of every page of an answer."""
    with translated():
        asked = client(target, service)
        if not asked.can_paginate(operation):
            yield from getattr(asked, operation)(**given)[member]
            return
        for page in asked.get_paginator(operation).paginate(**given):
            yield from page[member]


def number(service: str, operation: str, member: str, **given: Any) -> Callable[[Target], int]:
    """A function that counts the rows of an answer."""
    return lambda target: sum(1 for _ in rows(target, service, operation, member, **given))


def nat_gateways_by_zone(target: Target) -> Counter[str]:
    """NAT gateways by zone id: those that are being created, available or being deleted. https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html"""
    states = [{"Name": "state", "Values": ["pending", "available", "deleting"]}]
    gateways = list(rows(target, "ec2", "describe_nat_gateways", "NatGateways", Filters=states))
    zones = {
        each["SubnetId"]: each["AvailabilityZoneId"] for each in rows(target, "ec2", "describe_subnets", "Subnets")
    }
    return Counter(zones.get(each["SubnetId"], "") for each in gateways)


def gp3_tib(target: Target) -> int:
    """TiB of gp3 volumes, rounded up."""
    of_type = [{"Name": "volume-type", "Values": ["gp3"]}]
    volumes = rows(target, "ec2", "describe_volumes", "Volumes", Filters=of_type)
    gib = sum(int(each["Size"]) for each in volumes)
    return -(-gib // GIB_IN_TIB)


def lustre_gib(kind: str) -> Callable[[Target], int]:
    """A function that adds up the capacity of FSx for Lustre file systems whose deployment type begins so."""

    def capacity(target: Target) -> int:
        found = rows(target, "fsx", "describe_file_systems", "FileSystems")
        return sum(
            each.get("StorageCapacity", 0)
            for each in found
            if each.get("LustreConfiguration", {}).get("DeploymentType", "").startswith(kind)
        )

    return capacity


COUNTS: Mapping[str, Callable[[Target], int]] = {
    "vpcs_per_region": number("ec2", "describe_vpcs", "Vpcs"),
    "elastic_ips_per_region": number("ec2", "describe_addresses", "Addresses"),
    "security_groups_per_region": number("ec2", "describe_security_groups", "SecurityGroups"),
    "network_interfaces_per_region": number("ec2", "describe_network_interfaces", "NetworkInterfaces"),
    "launch_templates_per_region": number("ec2", "describe_launch_templates", "LaunchTemplates"),
    "auto_scaling_groups_per_region": number("autoscaling", "describe_auto_scaling_groups", "AutoScalingGroups"),
    "ebs_gp3_storage_per_region": gp3_tib,
    "cloudformation_stacks_per_region": number("cloudformation", "describe_stacks", "Stacks"),
    "eks_clusters_per_region": number("eks", "list_clusters", "clusters"),
    "efs_file_systems_per_region": number("efs", "describe_file_systems", "FileSystems"),
    "lustre_persistent_1_storage_per_region": lustre_gib("PERSISTENT_1"),
    "lustre_persistent_2_storage_per_region": lustre_gib("PERSISTENT_2"),
    "lustre_scratch_storage_per_region": lustre_gib("SCRATCH"),
}
"""Counts by limit of the catalog; no limits of one VPC, cluster or stack: the environment creates these."""
