"""Policy documents in one form: services return what was sent to them in another form of the same meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

DOCUMENTS = frozenset(
    {
        "AssumeRolePolicyDocument",
        "FileSystemPolicy",
        "KeyPolicy",
        "PolicyDocument",
        "AccessPolicy",
    }
)
"""Members of properties that have a policy document."""
LISTS = frozenset({"Action", "NotAction", "Resource", "NotResource"})
PRINCIPALS = frozenset({"Principal", "NotPrincipal"})
ROOT = re.compile(r"arn:[\w-]+:iam::(\d{12}):root")


def with_canonical_policies(value: Any, name: str = "") -> Any:
    """The value, each policy document in it as a list of statements whose single values are lists.

    Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html, and
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html for the account.
    """
    if name in DOCUMENTS:
        document = _parsed(value)
        return _canonical(document) if isinstance(document, Mapping) else value
    if isinstance(value, Mapping):
        return {member: with_canonical_policies(part, member) for member, part in value.items()}
    if isinstance(value, list):
        return [with_canonical_policies(item) for item in value]
    return value


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _canonical(document: Mapping[str, Any]) -> dict[str, Any]:
    return {**document, "Statement": [_statement(each) for each in _listed(document.get("Statement", []))]}


def _statement(statement: Any) -> Any:
    if not isinstance(statement, Mapping):
        return statement
    found: dict[str, Any] = {}
    for name, value in statement.items():
        if name in LISTS:
            found[name] = _listed(value)
        elif name in PRINCIPALS:
            found[name] = _principal(value)
        elif name == "Condition":
            found[name] = {kind: _condition(values) for kind, values in value.items()}
        else:
            found[name] = value
    return found


def _condition(values: Any) -> Any:
    if not isinstance(values, Mapping):
        return values
    return {key: [_text(item) for item in _listed(value)] for key, value in values.items()}


def _principal(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {kind: [_account(item) for item in _listed(each)] for kind, each in value.items()}


def _account(principal: Any) -> Any:
    """The account for its root: services return the one for the other."""
    root = ROOT.fullmatch(principal) if isinstance(principal, str) else None
    return root[1] if root else principal


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
