"""Trust policies of roles: their syntax is checked when a role is made, too, and each statement has a principal."""

from __future__ import annotations

import json

from neuron_cluster.local_aws.guards import guard
from neuron_cluster.local_aws.operations.policy_documents import policy_fault, statements
from neuron_cluster.local_aws.service import Call, ServiceError

MALFORMED = "MalformedPolicyDocument"


@guard("iam", "CreateRole", "UpdateAssumeRolePolicy", first=True)
def require_syntax(call: Call) -> None:
    """Runs before the rules, which read the policy."""
    text = call.parameters.get("AssumeRolePolicyDocument", call.parameters.get("PolicyDocument", ""))
    fault = policy_fault(text)
    if fault is not None:
        raise ServiceError(MALFORMED, fault)
    if any({"Resource", "NotResource"} & each.keys() for each in statements(json.loads(text))):
        raise ServiceError(MALFORMED, "Has prohibited field Resource")
