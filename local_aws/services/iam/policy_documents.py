"""Texts that should be policies: what is wrong with them, in the words of IAM, which other services pass on."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterator, Mapping
from typing import Any

from moto.iam.exceptions import MalformedPolicyDocument
from moto.iam.policy_validation import BaseIAMPolicyValidator

from local_aws.services.iam.policy_grammar import listed

EVERYBODY = "*"


def policy_fault(text: str) -> str | None:
    """Why a text is no policy of a resource, which says in each statement whom it is about; None when it is one."""
    try:
        document = in_text(json.loads(text))
    except ValueError:
        return "This policy contains invalid Json"
    try:
        BaseIAMPolicyValidator(json.dumps(document)).validate()
    except MalformedPolicyDocument as error:
        return str(error.message)
    if not all(each.get("Principal") or each.get("NotPrincipal") for each in statements(document)):
        return "Missing required field Principal"
    return None


def statements(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the statements of a policy without faults."""
    return listed(document["Statement"])


def allows(statement: Mapping[str, Any], action: str) -> bool:
    """Whether the statement allows the action to anybody; its conditions are not looked at."""
    named, excepted = (
        any(fnmatch.fnmatchcase(action.lower(), each.lower()) for each in listed(statement.get(member, [])))
        for member in ("Action", "NotAction")
    )
    return statement["Effect"] == "Allow" and (named or ("NotAction" in statement and not excepted))


def allowed_principals(statement: Mapping[str, Any], action: str, kind: str = "AWS") -> Iterator[str]:
    """Principals of a kind, ``*`` for everybody, whom a statement allows the action."""
    if allows(statement, action):
        principal = statement.get("Principal", {})
        yield from listed(principal.get(kind, []) if isinstance(principal, Mapping) else principal)


def resources(statement: Mapping[str, Any]) -> list[str]:
    """Returns the names of Resource or NotResource; one empty name where there is none."""
    return listed(statement.get("Resource", statement.get("NotResource", ""))) or [""]


def in_text(value: Any) -> Any:
    """Numbers and truths as texts: conditions may have them as they are, which moto does not know."""
    if isinstance(value, dict):
        return {name: in_text(each) for name, each in value.items()}
    if isinstance(value, list):
        return [in_text(each) for each in value]
    return value if isinstance(value, str) else json.dumps(value)
