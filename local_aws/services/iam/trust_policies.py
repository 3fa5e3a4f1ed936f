"""Trust policies of roles: their grammar is checked when a role is made, too, and each statement has a principal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from moto.utilities.utils import get_partition

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.iam.policy_documents import policy_fault, statements
from local_aws.services.iam.policy_grammar import grammar_faults, listed
from local_aws.services.iam.policy_principals import unknown_principals

ACTIONS = frozenset(
    f"sts:{name}"
    for name in (
        "AssumeRole",
        "AssumeRoleWithWebIdentity",
        "AssumeRoleWithSAML",
        "TagSession",
        "SetSourceIdentity",
        "SetContext",
    )
)
"""Actions that a trust policy may allow, without wildcards."""
PRINCIPAL = re.compile(
    r"\*|\d{12}|arn:[a-z0-9-]+:(iam::\d{12}:(root|(user|role|group)/[^*?]+)|sts::\d{12}:[a-z-]+/[^*?]+)"
)
"""Everybody, an account, an identity or its session."""
SERVICE = re.compile(r"[a-z0-9.-]+\.amazonaws\.com(\.cn)?")
COGNITO = "cognito-identity.amazonaws.com"


@guard("iam", "CreateRole", "UpdateAssumeRolePolicy", first=True)
def require_syntax(call: Call) -> None:
    """Runs before the rules, which read the policy."""
    text = call.parameters.get("AssumeRolePolicyDocument", call.parameters.get("PolicyDocument", ""))
    fault = policy_fault(text)
    if fault is not None:
        raise api_error("iam.malformed_trust_policy", fault=fault)
    if any({"Resource", "NotResource"} & each.keys() for each in statements(json.loads(text))):
        raise api_error("iam.trust_policy_with_resource")
    document = json.loads(text)
    for message in (*grammar_faults(document, get_partition(call.region)), *_trust_faults(document)):
        raise api_error("iam.trust_policy_fault", message=message)
    for arn in unknown_principals(call, document):
        raise api_error("iam.unknown_principal", arn=arn)
    maximum = limit("iam_trust_policy").require_maximum()
    if len("".join(text.split())) > maximum:
        raise api_error("iam.trust_policy_size", maximum=maximum)


def _trust_faults(document: Mapping[str, Any]) -> Iterator[str]:
    for statement in statements(document):
        if not {*listed(statement.get("Action", []))} <= ACTIONS:
            yield "AssumeRole policy may only specify STS AssumeRole actions."
        principal = statement.get("Principal", {})
        if not isinstance(principal, Mapping):
            yield f'AssumeRolepolicy contained an invalid principal: "STAR":"{principal}".'
            continue
        for kind, pattern in (("AWS", PRINCIPAL), ("Service", SERVICE)):
            for each in listed(principal.get(kind, [])):
                if not pattern.fullmatch(str(each)):
                    yield f'Invalid principal in policy: "{kind.upper()}":"{each}"'
        if COGNITO in listed(principal.get("Federated", [])) and not statement.get("Condition"):
            yield "A condition block must be present for the Cognito provider"
