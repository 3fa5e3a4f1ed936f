"""Network interfaces that a service keeps in its customer's subnets.

A control plane, a file system, an endpoint hold interfaces with security groups: that is why AWS refuses to
delete a subnet or a group under them. Here they are EC2 network interfaces too, so that the same refusal comes
from the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from local_aws.handlers.service_resource import ignore_not_found


class HasClients(Protocol):
    """A Call or a ResourceContext."""

    def client(self, service: str) -> Any: ...


def hold_interfaces(
    owner: HasClients, subnet_ids: Iterable[str], group_ids: Sequence[str], description: str
) -> list[str]:
    """One interface in each subnet, all in the groups (without any: the VPC's default group); their ids.

    Raises ClientError, with no interface left, when EC2 knows a subnet or a group not.
    """
    ec2 = owner.client("ec2")
    groups = {"Groups": list(group_ids)} if group_ids else {}
    held: list[str] = []
    try:
        for subnet_id in subnet_ids:
            answer = ec2.create_network_interface(SubnetId=subnet_id, Description=description, **groups)
            held.append(answer["NetworkInterface"]["NetworkInterfaceId"])
    except BaseException:
        release_interfaces(owner, held)
        raise
    return held


def release_interfaces(owner: HasClients, interface_ids: Iterable[str]) -> None:
    """Removes the interfaces; one that is gone already is no error."""
    for interface_id in interface_ids:
        with ignore_not_found():
            owner.client("ec2").delete_network_interface(NetworkInterfaceId=interface_id)
