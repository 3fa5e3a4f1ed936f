"""Where a file system lives: its one subnet, its groups, its interfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botocore.exceptions import ClientError

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.service_enis import hold_interfaces

SERVERS = 2
"""Interfaces of a file system: a metadata server and one object server. FSx adds more with the capacity."""
LUSTRE_PORT = 988
ALL_TRAFFIC = "-1"


def find_subnet(call: Call, subnet_ids: Sequence[str]) -> dict[str, Any]:
    try:
        subnet: dict[str, Any] = call.client("ec2").describe_subnets(SubnetIds=list(subnet_ids))["Subnets"][0]
    except ClientError as error:
        raise api_error("fsx.network", message=error.response["Error"]["Message"]) from error
    return subnet


def hold_server_interfaces(
    call: Call, file_system_id: str, subnet: dict[str, Any], group_ids: Sequence[str]
) -> list[str]:
    """Interfaces in the subnet; the groups must let Lustre through, of which FSx looks at the port 988.

    Without groups it is the VPC's default one, whose members may all talk to each other.
    """
    try:
        groups = _groups(call, group_ids)
        if any(group["VpcId"] != subnet["VpcId"] for group in groups):
            raise api_error("fsx.groups_of_other_vpc")
        if groups and not any(_admits_lustre(group) for group in groups):
            raise api_error("fsx.lustre_port_closed")
        description = f"Network interface of Amazon FSx file system {file_system_id}"
        return hold_interfaces(call, [subnet["SubnetId"]] * SERVERS, list(group_ids), description)
    except ClientError as error:
        raise api_error("fsx.network", message=error.response["Error"]["Message"]) from error


def _groups(call: Call, group_ids: Sequence[str]) -> list[dict[str, Any]]:
    if not group_ids:
        return []
    return list(call.client("ec2").describe_security_groups(GroupIds=list(group_ids))["SecurityGroups"])


def _admits_lustre(group: dict[str, Any]) -> bool:
    return any(
        rule["IpProtocol"] == ALL_TRAFFIC
        or (rule["IpProtocol"] == "tcp" and rule["FromPort"] <= LUSTRE_PORT <= rule["ToPort"])
        for rule in group["IpPermissions"]
    )
