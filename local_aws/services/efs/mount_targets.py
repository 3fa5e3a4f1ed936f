"""Mount targets: one address, which is that of their network interface."""

from __future__ import annotations

from typing import Any, cast

from moto.ec2.exceptions import InvalidSubnetIdError
from moto.efs.exceptions import FileSystemNotFound, SecurityGroupNotFound, SubnetNotFound
from moto.efs.models import EFSBackend, MountTarget

from local_aws.services.overrides import override


@override(EFSBackend, "create_mount_target")
def create_mount_target(
    _original: Any,
    backend: Any,
    file_system_id: str,
    subnet_id: str,
    ip_address: str | None = None,
    security_groups: list[str] | None = None,
) -> Any:
    """moto takes the address of the subnet, and gives it to an interface that has to take it again."""
    ec2, system = backend.ec2_backend, backend.file_systems_by_id.get(file_system_id)
    if system is None:
        raise FileSystemNotFound(file_system_id)
    try:
        subnet = ec2.get_subnet(subnet_id)
    except InvalidSubnetIdError as error:
        raise SubnetNotFound(subnet_id) from error
    for group_id in security_groups or ():
        if ec2.get_security_group_from_id(group_id) is None:
            raise SecurityGroupNotFound(group_id)
    target: Any = cast("Any", MountTarget)(backend.account_id, system, subnet, ip_address, security_groups)
    subnet.del_subnet_ip(target.ip_address)
    try:
        interface = ec2.create_network_interface(subnet, target.ip_address, group_ids=security_groups)
    except BaseException:
        system.remove_mount_target(subnet)
        raise
    target.set_network_interface(interface)
    backend.mount_targets_by_id[target.mount_target_id] = target
    return target
