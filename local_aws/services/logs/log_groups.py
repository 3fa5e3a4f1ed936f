"""Log groups: the class is kept, keys can be put on and taken off later, and deletion protection holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.logs.models import LogGroup
from moto.logs.responses import LogsResponse

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.eks.control_plane_logs import write_again
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
