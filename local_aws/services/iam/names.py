"""Paths and boundaries that IAM rejects.

Source: inferred: the codes; badmintoncryer/cdk-preflight has the words, as IAM answered
"""

from __future__ import annotations

from local_aws.guards import guard
from local_aws.service import Call, ServiceError

RESERVED_PATH = "/aws-service-role"
BOUNDARY = "PermissionsBoundary"
ARN_PARTS = 6


@guard("iam", "CreateRole", "CreateUser", "CreateGroup", "CreateInstanceProfile", "CreatePolicy")
def require_free_path(call: Call) -> None:
    if call.parameters.get("Path", "").startswith(RESERVED_PATH):
        words = f"Paths beginning with '{RESERVED_PATH}' are reserved for AWS Service Linked Roles"
        raise ServiceError("ValidationError", words)


@guard("iam", "CreateRole", "CreateUser", "PutRolePermissionsBoundary", "PutUserPermissionsBoundary")
def require_policy_as_boundary(call: Call) -> None:
    arn = call.parameters.get(BOUNDARY)
    if arn is not None and not arn.split(":", ARN_PARTS - 1)[-1].startswith("policy/"):
        raise ServiceError("ValidationError", f"ARN {arn} is not valid.")
