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
LISTS = ("Action", "NotAction", "Resource", "NotResource")
PRINCIPALS = ("Principal", "NotPrincipal")
ROOT = re.compile(r"arn:[\w-]+:iam::(\d{12}):root")


def with_canonical_policies(value: Any, name: str = "") -> Any:
    """The value, each policy document in it as a list of statements that have all elements, each as a list.

    An element, principal or condition that only one of two documents has is then a difference. ``Sid`` is left out: it
    has no effect on access.

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
    found: dict[str, Any] = {"Effect": statement.get("Effect")}
    found |= {name: _listed(statement[name]) if name in statement else [] for name in LISTS}
    found |= {name: _principals(statement.get(name, {})) for name in PRINCIPALS}
    return {**found, "Condition": _conditions(statement.get("Condition", {}))}


def _principals(value: Any) -> list[str]:
    """``AWS: 111122223333``, one for each."""
    if not isinstance(value, Mapping):
        return [str(each) for each in _listed(value)]
    return [f"{kind}: {_account(each)}" for kind, several in value.items() for each in _listed(several)]


def _conditions(value: Any) -> list[str]:
    """``Bool aws:SecureTransport: false``, one for each value."""
    if not isinstance(value, Mapping):
        return [str(value)]
    return [
        f"{operator} {key}: {_text(each)}"
        for operator, keys in value.items()
        for key, several in keys.items()
        for each in _listed(several)
    ]


def _account(principal: Any) -> Any:
    """The account for its root: services return the one for the other."""
    root = ROOT.fullmatch(principal) if isinstance(principal, str) else None
    return root[1] if root else principal


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def without_empty_elements(value: Any) -> Any:
    """A statement as a row shows it: without elements that it does not have."""
    if isinstance(value, Mapping) and value.keys() >= {*LISTS, *PRINCIPALS}:
        return {name: each for name, each in value.items() if each not in ([], None)}
    return value
