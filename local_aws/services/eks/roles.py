"""IAM roles that EKS is given: they must exist and trust the service that will use them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.handlers.service_resource import ignore_not_found
from local_aws.services.iam.policy_documents import allowed_principals, statements

CLUSTER = "eks"
NODE = "ec2"
POD = "pods.eks.amazonaws.com"
ASSUME, TAG = "sts:AssumeRole", "sts:TagSession"


def require_named_role(call: Call, arn: str) -> dict[str, Any]:
    if (role := _role(call, arn)) is None:
        raise api_error("eks.no_role", name=arn.rsplit("/", 1)[-1])
    return role


def _role(call: Call, arn: str) -> dict[str, Any] | None:
    """The role as IAM tells it; None when IAM has none of that ARN."""
    with ignore_not_found():
        role: dict[str, Any] = call.client("iam").get_role(RoleName=arn.rsplit("/", 1)[-1])["Role"]
        return role if role["Arn"] == arn else None
    return None


def require_trust(role: dict[str, Any], service: str, kind: str) -> None:
    """EKS reads the trust policy before it takes a ``clusterRole`` or a ``nodeRole``."""
    if not any(each.split(".amazonaws.")[0] == service for each in trusted_services(role)):
        raise api_error("eks.role_trust", service=service, kind=kind, arn=role["Arn"])


def trusted_services(role: dict[str, Any], action: str = ASSUME) -> list[str]:
    """Service principals that may do this with the role: by default, assume it."""
    document = role["AssumeRolePolicyDocument"]
    if isinstance(document, str):
        document = json.loads(unquote(document))
    return [each for statement in statements(document) for each in allowed_principals(statement, action, "Service")]


def require_cluster_role(call: Call, arn: str) -> None:
    if (role := _role(call, arn)) is None:
        raise api_error("eks.no_cluster_role", arn=arn)
    require_trust(role, CLUSTER, "clusterRole")


def require_node_role(call: Call, arn: str) -> None:
    require_trust(require_named_role(call, arn), NODE, "nodeRole")


def require_pod_role(call: Call, arn: str) -> None:
    """A role for Pod Identity: its sessions are tagged, which the role must allow, too."""
    if (role := _role(call, arn)) is None:
        raise api_error("eks.no_pod_role")
    if not all(POD in trusted_services(role, action) for action in (ASSUME, TAG)):
        raise api_error("eks.pod_role_trust")
