"""The role of a function in a VPC may create network interfaces. That Lambda can assume it, a row says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, guard
from local_aws.services.iam.policy_documents import allows, statements

CREATES_INTERFACES = "ec2:CreateNetworkInterface"


@guard("lambda", "CreateFunction", "UpdateFunctionConfiguration", last=True)
def require_interfaces(call: Call) -> None:
    if not call.parameters.get("VpcConfig", {}).get("SubnetIds"):
        return
    for role in call.moto_backend("iam").roles.values():
        policies = (each for text in _policies(role) for each in statements(json.loads(text)))
        if role.arn == call.parameters.get("Role") and not any(allows(each, CREATES_INTERFACES) for each in policies):
            raise api_error("lambda.role_without_interfaces")


def _policies(role: Any) -> Iterator[str]:
    """Texts of its inline and managed policies; what a boundary takes away is not looked at."""
    yield from role.policies.values()
    for policy in role.managed_policies.values():
        yield from (each.document for each in policy.versions if each.version_id == policy.default_version_id)
