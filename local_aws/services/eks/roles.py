"""IAM roles that EKS is given: they must exist and trust the service that will use them."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from botocore.exceptions import ClientError

from local_aws.service import Call
from local_aws.services.eks.refusals import invalid_parameter
from local_aws.services.iam.policy_documents import allowed_principals, statements

CLUSTER = "eks"
NODE = "ec2"
POD = "pods.eks.amazonaws.com"
ASSUME, TAG = "sts:AssumeRole", "sts:TagSession"


def require_role(call: Call, arn: str, missing: str) -> dict[str, Any]:
    """The role as IAM tells it; refused with ``missing`` when IAM has none of that ARN."""
    name = arn.rsplit("/", 1)[-1]
    try:
        role: dict[str, Any] = call.client("iam").get_role(RoleName=name)["Role"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "NoSuchEntity":
            raise
        raise invalid_parameter(missing) from error
    if role["Arn"] != arn:
        raise invalid_parameter(missing)
    return role


def require_trust(role: dict[str, Any], service: str, kind: str) -> None:
    """EKS reads the trust policy before it takes a ``clusterRole`` or a ``nodeRole``."""
    if not any(each.split(".amazonaws.")[0] == service for each in trusted_services(role)):
        raise invalid_parameter(
            f"Following required service principals [{service}.amazonaws.com] were not found in the trust "
            f"relationships of {kind} {role['Arn']}"
        )


def trusted_services(role: dict[str, Any], action: str = ASSUME) -> list[str]:
    """Service principals that may do this with the role: by default, assume it."""
    document = role["AssumeRolePolicyDocument"]
    if isinstance(document, str):
        document = json.loads(unquote(document))
    return [each for statement in statements(document) for each in allowed_principals(statement, action, "Service")]


def require_cluster_role(call: Call, arn: str) -> None:
    missing = (
        f"Role with arn: {arn}, could not be assumed because it does not exist or the trusted entity is not correct"
    )
    require_trust(require_role(call, arn, missing), CLUSTER, "clusterRole")


def require_node_role(call: Call, arn: str) -> None:
    missing = f"The role with name {arn.rsplit('/', 1)[-1]} cannot be found."
    require_trust(require_role(call, arn, missing), NODE, "nodeRole")


def require_pod_role(call: Call, arn: str) -> None:
    """A role for Pod Identity: its sessions are tagged, which the role must allow, too."""
    role = require_role(call, arn, "Role provided in the request does not exist")
    if not all(POD in trusted_services(role, action) for action in (ASSUME, TAG)):
        # Source: hashicorp/terraform-provider-aws#41483 has code and words, of a role that does not name the service,
        # aws/aws-cdk#31522 of one that does; https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html has both
        # actions
        raise invalid_parameter(
            "Trust policy of the role provided is invalid. Follow the official documentation to resolve the issue."
        )
