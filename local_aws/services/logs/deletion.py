"""Deletion of log groups, and the protection from it.

Source: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogGroupDeletionProtection.html
("deletion protection blocks all deletion operations until it is explicitly disabled").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.service import Call, ServiceError, operation
from local_aws.services.eks.control_plane_logs import write_again


@operation("logs", "PutLogGroupDeletionProtection")
def put_deletion_protection(call: Call) -> Mapping[str, Any]:
    identifier = call.parameters["logGroupIdentifier"]  # a name, or an ARN
    _group(call, identifier.rpartition(":log-group:")[2]).is_protected = call.parameters["deletionProtectionEnabled"]
    return {}


@operation("logs", "DeleteLogGroup")
def delete_log_group(call: Call) -> Mapping[str, Any]:
    name = call.parameters["logGroupName"]
    if getattr(_group(call, name), "is_protected", False):
        # inferred: the words; the operation's model has this code, and the protection's page the refusal.
        raise ServiceError("ValidationException", f"Log group {name} has deletion protection enabled.")
    del call.moto_backend("logs").groups[name]
    write_again(call, name)
    return {}


def _group(call: Call, name: str) -> Any:
    groups = call.moto_backend("logs").groups
    if name not in groups:
        raise ServiceError("ResourceNotFoundException", "The specified log group does not exist.")
    return groups[name]
