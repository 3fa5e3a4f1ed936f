"""Interfaces of functions in a VPC: they outlive their function by a time that can be set.

Lambda reclaims them 20 to 45 minutes after DeleteFunction, as the function's role; when the role is gone by then they
stay, ``available``. Source: awslabs/aws-support-tools#174; aws/aws-cdk#34400, #6701; go-to-k/delstack#637.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.ec2.models import ec2_backends
from moto.iam.models import iam_backends

from local_aws.clock import CLOCK, DELAYS

PREFIX = "AWS Lambda VPC ENI-"


def hold(account: str, region: str, function: str, vpc: Mapping[str, Any]) -> None:
    """One interface in each subnet of the function, in its groups."""
    ec2 = ec2_backends[account][region]
    for subnet_id in vpc.get("SubnetIds", []):
        groups = list(vpc.get("SecurityGroupIds", []))
        subnet = ec2.get_subnet(subnet_id)
        interface = ec2.create_network_interface(subnet, [], group_ids=groups, description=f"{PREFIX}{function}")
        interface.interface_type = "lambda"
        interface.requester_managed = True
        interface.status = "in-use"


def release(account: str, region: str, function: str, role_arn: str) -> None:
    """The function needs them no longer."""
    interfaces: dict[str, Any] = ec2_backends[account][region].enis
    for interface in interfaces.values():
        if interface.description == f"{PREFIX}{function}" and not hasattr(interface, "reclaimed_at"):
            interface.reclaimed_at = CLOCK.now() + DELAYS.lambda_interfaces
            interface.role_of_function = role_arn
    reclaim(account, region)


def reclaim(account: str, region: str) -> None:
    """Lambda takes back those whose time has come, where the function's role is still there."""
    interfaces: dict[str, Any] = ec2_backends[account][region].enis
    for interface in list(interfaces.values()):
        due = getattr(interface, "reclaimed_at", None)
        if due is None or CLOCK.now() < due:
            continue
        if DELAYS.lambda_interfaces and not _exists(account, interface.role_of_function):
            interface.status, interface.requester_managed = "available", False
        else:
            del interfaces[interface.id]


def _exists(account: str, role_arn: str) -> bool:
    roles = iam_backends[account][role_arn.split(":")[1]].roles.values()
    return any(role.arn == role_arn for role in roles)
