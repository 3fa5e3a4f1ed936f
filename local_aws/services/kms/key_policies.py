"""Key policies: they are policies, and whoever puts one can change it later."""

from __future__ import annotations

import json

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.iam.policy_documents import (
    EVERYBODY,
    allowed_principals,
    policy_fault,
    statements,
)
from local_aws.services.iam.policy_principals import unknown_principals

CHANGES_POLICY = "kms:PutKeyPolicy"


@guard("kms", "CreateKey", "PutKeyPolicy")
def require_key_policy(call: Call) -> None:
    """Who calls is known by account only, so that any principal of the account is the caller."""
    text = call.parameters.get("Policy")
    if text is None:
        return
    fault = policy_fault(text)
    if fault is not None:
        raise api_error("kms.malformed_policy", fault=fault)
    if any(unknown_principals(call, json.loads(text))):
        raise api_error("kms.unknown_principals")
    if call.parameters.get("BypassPolicyLockoutSafetyCheck"):
        return
    keepers = (
        each for statement in statements(json.loads(text)) for each in allowed_principals(statement, CHANGES_POLICY)
    )
    if not any(each in (EVERYBODY, call.account) or f"::{call.account}:" in each for each in keepers):
        raise api_error("kms.lockout")
