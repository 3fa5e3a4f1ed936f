"""Log groups: the class is kept, and keys can be put on and taken off later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.logs.exceptions import InvalidParameterException
from moto.logs.models import LogGroup, LogsBackend
from moto.logs.responses import LogsResponse

from local_aws.service import Call, ServiceError, operation
from local_aws.services.overrides import override

DEFAULT_CLASS = "STANDARD"
RETENTION_DAYS = (
    *(1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731),
    *(1096, 1827, 2192, 2557, 2922, 3288, 3653),
)
"""https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html."""


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


def _group(call: Call) -> Any:
    """The group of ``logGroupName``, or of ``resourceIdentifier``, which is an ARN."""
    name = (
        call.parameters.get("logGroupName") or call.parameters.get("resourceIdentifier", "").partition("log-group:")[2]
    )
    groups = call.moto_backend("logs").groups
    if name not in groups:
        raise ServiceError("ResourceNotFoundException", "The specified log group does not exist.")
    return groups[name]


@override(LogsBackend, "put_retention_policy")
def put_retention_policy(original: Any, _backend: Any, log_group_name: str, retention_in_days: int) -> Any:
    if retention_in_days not in RETENTION_DAYS:
        raise InvalidParameterException(
            constraint=f"Member must satisfy enum value set: {list(RETENTION_DAYS)}",
            parameter="retentionInDays",
            value=retention_in_days,
        )
    return original(log_group_name, retention_in_days)
