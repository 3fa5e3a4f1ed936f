"""Changes of an EFS file system that moto does not have: throughput, backup policy, and the removal of a policy.

All of it is kept on moto's file system, so that it goes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation

PROVISIONED = "provisioned"


@operation("efs", "UpdateFileSystem")
def update_file_system(call: Call) -> Mapping[str, Any]:
    """A mode other than ``provisioned`` has no throughput of its own."""
    given, system = call.parameters, _find(call)
    mode = given.get("ThroughputMode", system.throughput_mode)
    system.provisioned_throughput_in_mibps = (
        given.get("ProvisionedThroughputInMibps", system.provisioned_throughput_in_mibps)
        if mode == PROVISIONED
        else None
    )
    system.throughput_mode = mode
    shown: dict[str, Any] = call.client("efs").describe_file_systems(FileSystemId=given["FileSystemId"])
    return dict(shown["FileSystems"][0])


@operation("efs", "PutBackupPolicy")
def put_backup_policy(call: Call) -> Mapping[str, Any]:
    policy = call.parameters["BackupPolicy"]
    _find(call).kept_backup_policy = dict(policy)
    return {"BackupPolicy": policy}


@operation("efs", "DescribeBackupPolicy")
def describe_backup_policy(call: Call) -> Mapping[str, Any]:
    """Returns the policy of the creation until PutBackupPolicy sets one."""
    system = _find(call)
    policy = getattr(system, "kept_backup_policy", None) or system.backup_policy
    if policy is None:
        raise api_error("efs.no_policy", file_system=call.parameters["FileSystemId"])
    return {"BackupPolicy": policy}


@operation("efs", "DeleteFileSystemPolicy")
def delete_file_system_policy(call: Call) -> Mapping[str, Any]:
    _find(call).file_system_policy = None
    return {}


def _find(call: Call) -> Any:
    """moto's file system. Raises ServiceError when there is none of this id."""
    systems = call.moto_backend("efs").file_systems_by_id
    found = systems.get(call.parameters["FileSystemId"].rpartition("/")[2])
    if found is None:
        raise api_error("efs.no_file_system", file_system=call.parameters["FileSystemId"])
    return found
