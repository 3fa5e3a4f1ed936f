"""Whether IAM allows a request, and which statement decides. The resource is in the account of the principal.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-denyallow.html
Service and resource control policies of an organization are not known here: they only take rights away.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from neuron_cluster.access.request import Request
from neuron_cluster.access.statement import Grant, Statement

Statements = tuple[Statement, ...]


class Policies(Struct, frozen=True, kw_only=True):
    """The policies that decide about a request."""

    identity: Statements = ()
    resource: Statements = ()
    boundary: Statements | None = None
    """The permissions boundary of the role, if it has one."""
    session: Statements | None = None
    """The session policy, if there is one."""
    is_key: bool = False
    """``resource`` is the policy of a KMS key: without it no policy of an identity has an effect."""


class Decision(Struct, frozen=True):
    """``statements`` are the names of those that allow or deny it; empty where none applies."""

    is_allowed: bool
    reason: str
    statements: tuple[str, ...] = ()


NO_STATEMENT = "no statement allows it"
EXPLICIT_DENY = "explicit deny"
ALLOWED = "allowed"


def decide(request: Request, policies: Policies) -> Decision:
    """Explicit deny, then allow, then the default: denied."""
    limits = {"permissions boundary": policies.boundary, "session policy": policies.session}
    of_resource = [each for each in _applying(policies.resource, request) if _concerns(each, request)]
    of_others = _applying((*policies.identity, *(each for limit in limits.values() for each in limit or ())), request)
    denying = [each.name for each in (*of_resource, *of_others) if not each.allows]
    if denying:
        return Decision(False, EXPLICIT_DENY, tuple(denying))
    allowing = _allowing(request, policies, of_resource)
    if not allowing:
        return Decision(False, NO_STATEMENT)
    if not any(each.grant(request) is Grant.SESSION for each in allowing):
        for name, limit in limits.items():
            if limit is not None and not any(each.allows for each in _applying(limit, request)):
                return Decision(False, f"the {name} does not allow it")
    return Decision(True, ALLOWED, tuple(each.name for each in allowing))


def _allowing(request: Request, policies: Policies, of_resource: list[Statement]) -> list[Statement]:
    """Returns the statements that allow the request, before boundary and session policy.

    A statement for the account leaves the decision to IAM's policies, which a key requires:
    https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
    """
    allows = [each for each in of_resource if each.allows]
    direct = [each for each in allows if each.grant(request) is not Grant.ACCOUNT]
    leaves_to_iam = [each for each in allows if each.grant(request) is Grant.ACCOUNT]
    of_identity = [each for each in _applying(policies.identity, request) if each.allows]
    if not policies.is_key:
        return [*of_identity, *direct]
    return [*direct, *(of_identity + leaves_to_iam if of_identity and leaves_to_iam else [])]


def _applying(statements: Iterable[Statement], request: Request) -> list[Statement]:
    return [each for each in statements if each.applies(request)]


def _concerns(statement: Statement, request: Request) -> bool:
    return statement.grant(request) is not Grant.NONE
