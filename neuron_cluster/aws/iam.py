"""Roles and users of IAM."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def role_arn(target: Target, name: str) -> str | None:
    """ARN of the role of this name, with its path; None when the account has none."""
    iam = client(target, "iam")
    with translated():
        try:
            return str(iam.get_role(RoleName=name)["Role"]["Arn"])
        except iam.exceptions.NoSuchEntityException:
            return None


def role_arns(target: Target, path: str) -> tuple[str, ...]:
    """ARNs of the roles below a path, which begins and ends with ``/``, sorted."""
    with translated():
        pages = client(target, "iam").get_paginator("list_roles").paginate(PathPrefix=path)
        return tuple(sorted(str(row["Arn"]) for page in pages for row in page["Roles"]))


def user_arn(target: Target, name: str) -> str | None:
    """ARN of the user of this name, with its path; None when the account has none."""
    iam = client(target, "iam")
    with translated():
        try:
            return str(iam.get_user(UserName=name)["User"]["Arn"])
        except iam.exceptions.NoSuchEntityException:
            return None


EXPLICIT_DENY, IMPLICIT_DENY = "explicitDeny", "implicitDeny"
"""The decisions where a statement denies a call, and where none allows it."""


class Simulated(Struct, frozen=True):
    """IAM's decision about one action on one resource, from the policies that a simulation sees."""

    action: str
    resource: str
    is_allowed: bool
    reason: str
    """``explicitDeny``, ``implicitDeny``, or the kind of policy that does not allow it."""
    missing_keys: tuple[str, ...] = ()
    """Condition keys of policies that the request had no value for."""

    @property
    def is_certain(self) -> bool:
        """Whether no value of a missing key changes the decision: no allow ends an explicit deny."""
        return not self.missing_keys or self.reason == EXPLICIT_DENY


def simulated(
    target: Target, principal: str, actions: Sequence[str], resources: Sequence[str], keys: Mapping[str, str]
) -> list[Simulated]:
    """The decision for each action on each resource, by IAM's own simulation. ``keys`` are condition keys with values.

    https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html: one result for each action,
    whose decisions by resource are a list of their own.
    """
    context = [
        {
            "ContextKeyName": key,
            "ContextKeyValues": [value],
            "ContextKeyType": "boolean" if value in ("true", "false") else "string",
        }
        for key, value in keys.items()
    ]
    with translated():
        pages = (
            client(target, "iam")
            .get_paginator("simulate_principal_policy")
            .paginate(PolicySourceArn=principal, ActionNames=actions, ResourceArns=resources, ContextEntries=context)
        )
        return [each for page in pages for row in page["EvaluationResults"] for each in _decisions(row)]


def _decisions(row: Mapping[str, Any]) -> Iterator[Simulated]:
    """Yields one decision for each resource."""
    of_resources = row.get("ResourceSpecificResults") or [
        {**row, "EvalResourceDecision": row["EvalDecision"], "EvalResourceName": row.get("EvalResourceName", "*")}
    ]
    by_organization = row.get("OrganizationsDecisionDetail", {}).get("AllowedByOrganizations", True)
    for each in of_resources:
        by_boundary = each.get("PermissionsBoundaryDecisionDetail", {}).get("AllowedByPermissionsBoundary", True)
        decision = str(each["EvalResourceDecision"])
        reason = decision
        if not by_organization:
            reason = "a policy of the organization"
        elif not by_boundary:
            reason = "the permissions boundary"
        missing = {*each.get("MissingContextValues", ()), *row.get("MissingContextValues", ())}
        name = str(each["EvalResourceName"])
        yield Simulated(row["EvalActionName"], name, decision == "allowed", reason, tuple(sorted(missing)))
