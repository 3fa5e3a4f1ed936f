"""The simulation of policies: what those of a user or role allow, with those of its groups and its boundary.

Not evaluated: policies of resources, of organizations and of the request itself. An operator of conditions that is not
in the list below is rejected, and policy variables are text.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.iam.policy_documents import in_text, statements
from local_aws.services.iam.policy_grammar import listed

ALLOWED, EXPLICIT, IMPLICIT = "allowed", "explicitDeny", "implicitDeny"
OPERATORS = ("StringEquals", "StringLike", "StringNotEquals", "StringNotLike", "ArnLike", "ArnEquals", "Bool")
Statements = Sequence[Mapping[str, Any]]


class Request(Struct, frozen=True):
    """One action on one resource, with the keys that the caller gave."""

    action: str
    resource: str
    context: Mapping[str, Sequence[str]]


@operation("iam", "SimulatePrincipalPolicy")
def simulate(call: Call) -> Mapping[str, Any]:
    """One result for each action, with the decisions by resource; all on one page."""
    given, principal = call.parameters, _principal(call)
    keys = {each["ContextKeyName"].lower(): each["ContextKeyValues"] for each in given.get("ContextEntries", [])}
    backend, identity = call.moto_backend("iam"), list(_identity_statements(call, principal))
    boundary_arn = getattr(principal, "permissions_boundary_arn", None)
    boundary = _of_managed(backend, boundary_arn) if boundary_arn else None
    resources = given.get("ResourceArns") or ["*"]
    results = [
        _result(action, [_decision(Request(action, each, keys), identity, boundary) for each in resources])
        for action in given["ActionNames"]
    ]
    return {"EvaluationResults": results, "IsTruncated": False}


def _principal(call: Call) -> Any:
    arn, backend = call.parameters["PolicySourceArn"], call.moto_backend("iam")
    known = (*backend.roles.values(), *backend.users.values())
    found = next((each for each in known if each.arn == arn), None)
    if found is None:
        raise api_error("iam.no_principal", arn=arn)
    return found


def _identity_statements(call: Call, principal: Any) -> Iterator[Mapping[str, Any]]:
    """Yields statements of inline and attached policies, of a user also those of its groups."""
    backend = call.moto_backend("iam")
    groups = [each for each in backend.groups.values() if principal in each.users]
    for holder in (principal, *groups):
        for text in holder.policies.values():
            yield from statements(in_text(json.loads(text)))
        for arn in holder.managed_policies:
            yield from _of_managed(backend, arn)


def _of_managed(backend: Any, arn: str) -> Statements:
    versions = backend.managed_policies[arn].versions
    text = next(each.document for each in versions if each.is_default)
    return statements(in_text(json.loads(text)))


def _decision(request: Request, identity: Statements, boundary: Statements | None) -> Mapping[str, Any]:
    missing: set[str] = set()
    of_identity = _effects(request, identity, missing)
    of_boundary = {"Allow"} if boundary is None else _effects(request, boundary, missing)
    decision = ALLOWED if "Allow" in of_identity and "Allow" in of_boundary else IMPLICIT
    decision = EXPLICIT if "Deny" in of_identity | of_boundary else decision
    detail = {"AllowedByPermissionsBoundary": of_boundary == {"Allow"}}
    return {
        "EvalResourceName": request.resource,
        "EvalResourceDecision": decision,
        "MissingContextValues": sorted(missing),
        **({"PermissionsBoundaryDecisionDetail": detail} if boundary is not None else {}),
    }


def _result(action: str, decisions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    found = {each["EvalResourceDecision"] for each in decisions}
    return {
        "EvalActionName": action,
        "EvalResourceName": decisions[0]["EvalResourceName"],
        "EvalDecision": next(each for each in (EXPLICIT, IMPLICIT, ALLOWED) if each in found),
        "MissingContextValues": sorted({key for each in decisions for key in each["MissingContextValues"]}),
        "ResourceSpecificResults": list(decisions),
    }


def _effects(request: Request, of: Statements, missing: set[str]) -> set[str]:
    """Effects of the statements that apply; a condition on a key without a value is not met, and is noted."""
    named = [
        each for each in of if _names(each, "Action", request.action) and _names(each, "Resource", request.resource)
    ]
    return {each["Effect"] for each in named if _is_met(each.get("Condition", {}), request, missing)}


def _names(statement: Mapping[str, Any], element: str, value: str) -> bool:
    fold = str.lower if element == "Action" else str
    excepted = f"Not{element}" in statement
    patterns = listed(statement.get(f"Not{element}" if excepted else element, []))
    return any(fnmatch.fnmatchcase(fold(value), fold(each).replace("[", "[[]")) for each in patterns) != excepted


def _is_met(conditions: Mapping[str, Any], request: Request, missing: set[str]) -> bool:
    met = True
    for operator, keys in conditions.items():
        for key, wanted in keys.items():
            values = request.context.get(key.lower())
            if values is None:
                missing.add(key)
                met = False
            elif operator not in OPERATORS:
                raise api_error("iam.condition_not_simulated", operator=operator)
            else:
                is_like = any(fnmatch.fnmatchcase(value, each) for value in values for each in listed(wanted))
                met = met and is_like != ("Not" in operator)
    return met
