"""Keys of log groups: those that can be used, and whose policy lets CloudWatch Logs use them.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from typing import Any

from moto.utilities.utils import get_partition

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.iam.policy_documents import allowed_principals, statements
from local_aws.services.iam.policy_grammar import listed
from local_aws.services.kms.key_states import key_error

LOG_GROUP = "kms:EncryptionContext:aws:logs:arn"
"""Condition key whose value is the ARN of the log group."""


@guard("logs", "CreateLogGroup", "AssociateKmsKey")
def require_key_of_log_group(call: Call) -> None:
    """The key of another account cannot be looked at; which resource names one, the operation says."""
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
