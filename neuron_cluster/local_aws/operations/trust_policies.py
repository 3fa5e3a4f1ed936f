"""Trust policies of roles: their syntax is checked when a role is made, too, and each statement has a principal."""

from __future__ import annotations

import json

from moto.iam.policy_validation import BaseIAMPolicyValidator

from neuron_cluster.local_aws.guards import guard
from neuron_cluster.local_aws.service import Call, ServiceError

OLD_VERSION = "2008-10-17"
"""Without a version a policy has this one. Trust policies may, though moto takes it for no policy of IAM."""
VERSION = "2012-10-17"
MALFORMED = "MalformedPolicyDocument"


@guard("iam", "CreateRole", "UpdateAssumeRolePolicy", first=True)
def require_syntax(call: Call) -> None:
    """Runs before the laws, which read the policy."""
    text = call.parameters.get("AssumeRolePolicyDocument", call.parameters.get("PolicyDocument", ""))
    try:
        document = json.loads(text)
    except ValueError as error:
        raise ServiceError(MALFORMED, "This policy contains invalid Json") from error
    if isinstance(document, dict) and document.get("Version", OLD_VERSION) == OLD_VERSION:
        document = {**document, "Version": VERSION}
    BaseIAMPolicyValidator(json.dumps(document)).validate()
    statements = document["Statement"]
    for statement in statements if isinstance(statements, list) else [statements]:
        if not statement.get("Principal") and not statement.get("NotPrincipal"):
            raise ServiceError(MALFORMED, "Missing required field Principal")
        if {"Resource", "NotResource"} & statement.keys():
            raise ServiceError(MALFORMED, "Has prohibited field Resource")
