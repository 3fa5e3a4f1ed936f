"""The role of a function: Lambda can assume it, and in a VPC it may create network interfaces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.iam.policy_documents import allowed_principals, allows, statements

LAMBDA = "lambda.amazonaws.com"
CREATES_INTERFACES = "ec2:CreateNetworkInterface"


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration", last=True)
def require_role(call: Call) -> None:
    """That the role is of another account, moto says."""
    arn = call.parameters.get("Role")
    if arn is None or f"::{call.account}:" not in arn:
        return
    role = next((each for each in call.moto_backend("iam").roles.values() if each.arn == arn), None)
    if role is None or not _is_assumed(role):
        raise api_error("lambda.role_not_assumed")
    if call.parameters.get("VpcConfig", {}).get("SubnetIds") and not any(
        allows(each, CREATES_INTERFACES) for text in _policies(role) for each in statements(json.loads(text))
    ):
        raise api_error("lambda.role_without_interfaces")


def _is_assumed(role: Any) -> bool:
    trust = statements(json.loads(role.assume_role_policy_document))
    return any(LAMBDA in allowed_principals(each, "sts:AssumeRole", "Service") for each in trust)


def _policies(role: Any) -> Iterator[str]:
    """Texts of its inline and managed policies; what a boundary takes away is not looked at."""
    yield from role.policies.values()
    for policy in role.managed_policies.values():
        yield from (each.document for each in policy.versions if each.version_id == policy.default_version_id)
