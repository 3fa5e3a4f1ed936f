"""Whether the policies of the caller allow a deploy, by IAM's simulation.

Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_testing-policies.html. It sees policies of the
identity and of its groups, a permissions boundary and service control policies; not policies of resources, such as the
trust policies of roles, session policies and resource control policies.
"""

from __future__ import annotations

import functools
import hashlib
import json
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from neuron_cluster.aws.iam import IMPLICIT_DENY, Simulated, role_arn, simulated
from neuron_cluster.aws.sts import caller_arn
from neuron_cluster.config.permission_set import ROLE_PATH
from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER
from neuron_cluster.deploy.preflight.check import PreflightCheck, Stage
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.deploy.preflight.simulated_resources import resources_of
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.preflight import NotQueriedError, Part

PERMISSIONS = ("iam:SimulatePrincipalPolicy", "iam:GetRole")
ASSUME = "sts:AssumeRole"
ROLES = ("deploy-role", "file-publishing-role")
"""Roles of ``cdk bootstrap`` that the CDK command assumes: for stacks, and for templates and files of functions."""
AT_A_TIME = 50
"""Actions of one simulation."""
MOST_NAMED = 8
DIGITS = 8
"""The digits in the name of a policy."""
NOT_SEEN = (
    "policies that no simulation sees: of resources, such as trust policies of roles, of sessions, and resource "
    "control policies; nor what the roles of CDK and CloudFormation may do (docs/preflight.md)"
)


def permission_checks(made: Sequence[PreflightCheck]) -> tuple[PreflightCheck, ...]:
    """The checks of the caller's permissions; ``made`` are the checks whose actions it needs."""
    return (
        PreflightCheck(
            Part.PERMISSIONS,
            "the roles that the CDK command assumes",
            PERMISSIONS,
            _bootstrap_roles,
            _check_roles,
            Stage.PERMISSIONS,
        ),
        PreflightCheck(
            Part.PERMISSIONS,
            "the calls of these checks",
            PERMISSIONS,
            functools.partial(_actions, made),
            functools.partial(_check_actions, made),
            Stage.PERMISSIONS,
        ),
    )


def _bootstrap_roles(context: PreflightContext) -> list[str]:
    plan = context.plan
    if context.destination.is_local:
        return []
    prefix = f"arn:{plan.partition}:iam::{plan.account}:role/cdk-{context.qualifier or DEFAULT_QUALIFIER}"
    return [f"{prefix}-{role}-{plan.account}-{plan.region}" for role in ROLES]


def _check_roles(context: PreflightContext) -> Iterator[Finding]:
    principal = _principal(context)
    yield from _findings(principal, _simulated(principal, [ASSUME], _bootstrap_roles(context), context), context)


def _actions(made: Sequence[PreflightCheck], context: PreflightContext) -> list[str]:
    """Returns the actions of the checks that the environment needs; the local AWS evaluates no policies of callers."""
    if context.destination.is_local:
        return []
    return sorted({action for check in made if check.subjects(context) for action in check.permissions})


def _check_actions(made: Sequence[PreflightCheck], context: PreflightContext) -> Iterator[Finding]:
    principal = _principal(context)
    by_resources: dict[tuple[str, ...], list[str]] = {}
    for action in _actions(made, context):
        by_resources.setdefault(resources_of(action, context), []).append(action)
    found = [
        each
        for resources, actions in by_resources.items()
        for first in range(0, len(actions), AT_A_TIME)
        for each in _simulated(principal, actions[first : first + AT_A_TIME], resources, context)
    ]
    yield from _findings(principal, found, context)


def _principal(context: PreflightContext) -> str:
    """ARN of the user or role whose policies are simulated. Raises ``NotQueriedError`` for any other caller.

    The ARN of a session names the role without its path, which the simulation needs.
    """
    arn = caller_arn(context.destination.target)
    kind, _, rest = arn.split(":", 5)[5].partition("/")
    if kind == "user" and ":iam:" in arn:
        return arn
    role = role_arn(context.destination.target, rest.partition("/")[0]) if kind == "assumed-role" else None
    if role is None:
        raise NotQueriedError(f"the caller {arn} is neither a user nor a role of IAM, which the simulation needs")
    return role


def _simulated(
    principal: str, actions: Sequence[str], resources: Sequence[str], context: PreflightContext
) -> list[Simulated]:
    plan = context.plan
    keys = {
        "aws:RequestedRegion": plan.region,
        "aws:PrincipalAccount": plan.account,
        "aws:PrincipalArn": principal,
        "aws:SecureTransport": "true",
    }
    return simulated(context.destination.target, principal, actions, resources, keys)


def _findings(principal: str, found: Sequence[Simulated], context: PreflightContext) -> Iterator[Finding]:
    """W9584 for what the policies do not allow; W9556 for what depends on values that the simulation does not have."""
    place = context.locate(("account",))
    unsure = [each for each in found if not each.is_certain]
    if unsure:
        keys = sorted({key for each in unsure for key in each.missing_keys})
        message = f"whether {principal} may call {_named(unsure)} depends on {listed(keys)}, and was not checked"
        yield Finding("W9556", place, message, f"`{_command(principal, unsure)}` with --context-entries for these keys")
    denied = [each for each in found if not each.is_allowed and each.is_certain]
    for reason in dict.fromkeys(each.reason for each in denied):
        rows = [each for each in denied if each.reason == reason]
        message = f"the policies of {principal} do not allow {_named(rows)} ({reason}), as IAM simulates them"
        yield Finding("W9584", place, message, _hint(principal, rows, reason))


def _named(rows: Sequence[Simulated]) -> str:
    words = [each.action if each.resource == "*" else f"{each.action} on {each.resource}" for each in rows]
    more = [f"{len(words) - MOST_NAMED} more"] if len(words) > MOST_NAMED else []
    return listed([*words[:MOST_NAMED], *more])


def _hint(principal: str, rows: Sequence[Simulated], reason: str) -> str:
    if reason != IMPLICIT_DENY:
        return f"`{_command(principal, rows)}` shows which statement decides; its owner changes it"
    document = json.dumps({"Version": "2012-10-17", "Statement": _statements(rows)}, separators=(",", ":"))
    kind, _, path = principal.split(":", 5)[5].partition("/")
    if f"/{path}".startswith(ROLE_PATH):
        return f"add this policy to the permission set of the role: `{document}`"
    digest = hashlib.sha256(document.encode()).hexdigest()[:DIGITS]  # a put replaces the policy of the same name
    command = f"aws iam put-{kind}-policy --{kind}-name {path.rpartition('/')[2]} --policy-name neuron-cluster-{digest}"
    return f"`{command} --policy-document '{document}'`, or deploy with a role that has them"


def _statements(rows: Sequence[Simulated]) -> list[dict[str, Any]]:
    """One for all actions on the same resources."""
    resources: dict[str, list[str]] = {}
    for row in rows:
        resources.setdefault(row.action, []).append(row.resource)
    actions: dict[tuple[str, ...], list[str]] = {}
    for action, of_action in resources.items():
        actions.setdefault(tuple(of_action), []).append(action)
    return [{"Effect": "Allow", "Action": names, "Resource": list(arns)} for arns, names in actions.items()]


def _command(principal: str, rows: Sequence[Simulated]) -> str:
    actions = " ".join(_unique(rows, "action"))
    resources = " ".join(map(shlex.quote, _unique(rows, "resource")))
    return (
        f"aws iam simulate-principal-policy --policy-source-arn {principal} --action-names {actions} "
        f"--resource-arns {resources}"
    )


def _unique(rows: Sequence[Simulated], member: str) -> list[str]:
    return list(dict.fromkeys(getattr(each, member) for each in rows))
