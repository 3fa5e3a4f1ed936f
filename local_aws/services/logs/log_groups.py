"""Log groups: the class is kept, keys that fit can be put on and taken off later, and deletion protection holds."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from typing import Any

from moto.logs.models import LogGroup
from moto.logs.responses import LogsResponse
from moto.utilities.utils import get_partition

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard, operation
from local_aws.services.eks.control_plane_logs import write_again
from local_aws.services.iam.policy_documents import allowed_principals, statements
from local_aws.services.iam.policy_grammar import listed
from local_aws.services.kms.key_states import key_error
from local_aws.services.overrides import override

DEFAULT_CLASS = "STANDARD"


@override(LogsResponse, "create_log_group")
def keep_class(original: Any, response: Any) -> Any:
    answer = original()
    name = response._get_param("logGroupName")  # noqa: SLF001 - moto's own way to read a request
    group = response.logs_backend.groups[name]
    group.log_group_class = response._get_param("logGroupClass") or DEFAULT_CLASS  # noqa: SLF001 - how moto reads a parameter
    return answer


@override(LogGroup, "to_describe_dict")
def describe_with_class(original: Any, group: Any) -> Any:
    # A group that a service made by itself went through no request.
    return {
        **original(),
        "logGroupClass": getattr(group, "log_group_class", DEFAULT_CLASS),
        "deletionProtectionEnabled": getattr(group, "is_protected", False),
    }


@operation("logs", "AssociateKmsKey")
def associate_kms_key(call: Call) -> Mapping[str, Any]:
    _group(call).kms_key_id = call.parameters["kmsKeyId"]
    return {}


@operation("logs", "DisassociateKmsKey")
def disassociate_kms_key(call: Call) -> Mapping[str, Any]:
    _group(call).kms_key_id = None
    return {}


@operation("logs", "PutLogGroupDeletionProtection")
def put_deletion_protection(call: Call) -> Mapping[str, Any]:
    _group(call).is_protected = call.parameters["deletionProtectionEnabled"]
    return {}


@operation("logs", "DeleteLogGroup")
def delete_log_group(call: Call) -> Mapping[str, Any]:
    name = call.parameters["logGroupName"]
    if getattr(_group(call), "is_protected", False):
        raise api_error("logs.protected", name=name)
    del call.moto_backend("logs").groups[name]
    write_again(call, name)
    return {}


def _group(call: Call) -> Any:
    """The group that the request names, by its name or its ARN."""
    named = (call.parameters.get(each) for each in ("logGroupName", "resourceIdentifier", "logGroupIdentifier"))
    name = next((each.rpartition(":log-group:")[2] for each in named if each), "")
    groups = call.moto_backend("logs").groups
    if name not in groups:
        raise api_error("logs.not_found")
    return groups[name]


LOG_GROUP = "kms:EncryptionContext:aws:logs:arn"
"""Condition key whose value is the ARN of the log group."""


@guard("logs", "CreateLogGroup", "AssociateKmsKey")
def require_key_of_log_group(call: Call) -> None:
    """One that can be used, and whose policy lets CloudWatch Logs use it.

    The key of another account cannot be looked at; which resource names one, the operation says.
    Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
    """
    key, kms = call.parameters.get("kmsKeyId"), call.moto_backend("kms")
    if key is None:
        return
    if error := key_error(kms, key):
        raise api_error("logs.key_unusable", reason=error.message)
    if f":{call.account}:" not in key:
        return
    group = call.parameters.get("logGroupName") or call.parameters.get("resourceIdentifier", "").rpartition(":")[2]
    arn = f"arn:{get_partition(call.region)}:logs:{call.region}:{call.account}:log-group:{group}"
    found = kms.keys.get(kms.any_id_to_key_id(key))
    if found is None or not any(_allows_logs(each, call.region, arn) for each in statements(json.loads(found.policy))):
        raise api_error("logs.key_not_allowed", arn=arn)


def _allows_logs(statement: Mapping[str, Any], region: str, arn: str) -> bool:
    """Whether CloudWatch Logs may encrypt the log group with the key."""
    services = {f"logs.{region}.{suffix}" for suffix in ("amazonaws.com", "amazonaws.com.cn")} | {"logs.amazonaws.com"}
    if not services.intersection(allowed_principals(statement, "kms:GenerateDataKey", "Service")):
        return False
    conditions = statement.get("Condition", {})
    patterns = [
        pattern
        for operator in ("ArnEquals", "ArnLike", "StringEquals", "StringLike")
        for pattern in listed(conditions.get(operator, {}).get(LOG_GROUP, []))
    ]
    return not patterns or any(fnmatch.fnmatchcase(arn, pattern) for pattern in patterns)
