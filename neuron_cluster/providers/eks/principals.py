"""Whether the IAM principals of `eks.access` and `teams` exist.

Source: https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAccessEntry.html. EKS rejects an access entry for
one that does not ("invalid principal") some twelve minutes into the deploy, and the cluster's stack rolls back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from neuron_cluster.aws.iam import role_arn, user_arn
from neuron_cluster.config.permission_set import ROLE_PATH
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.finding import Finding
from neuron_cluster.protocol.preflight import PreflightQuery
from neuron_cluster.providers.eks.plan.eks_plan import EksPlan

WHAT = "IAM principals of eks.access and teams"
PERMISSIONS = ("iam:GetRole", "iam:GetUser")
KINDS = ("role", "user")
"""Kinds of principals that IAM is queried for."""


def subjects(context: PreflightQuery) -> list[str]:
    """Returns the ARNs of the roles and users."""
    return list(dict.fromkeys(arn for _, arn in _principals(context)))


def check(context: PreflightQuery) -> Iterator[Finding]:
    """E9552 for a principal that IAM does not have under this ARN; W9556 for one of another account."""
    for path, arn in _principals(context):
        account, kind, name = _parts(arn)
        if account != context.plan.account:
            message = f"{arn} is in account {account}, whose IAM was not queried"
            hint = f"`aws iam get-{kind} --{kind}-name {name}` with credentials of {account}"
            yield Finding("W9556", context.locate(path), message, hint)
            continue
        found = (role_arn if kind == "role" else user_arn)(context.destination.target, name)
        if found is None:
            message = f"account {account} has no {kind} {name}: {arn} does not exist"
            is_locked = "permission_sets" in path
            hint = f"run `{context.lock_again}`, which pins the role of today" if is_locked else _hint(context, arn)
            yield Finding("E9552", context.locate(path), message, hint)
        elif found != arn:
            yield Finding(
                "E9552", context.locate(path), f"the ARN of the {kind} {name} is {found}, not {arn}", f"write {found}"
            )


def _principals(context: PreflightQuery) -> list[tuple[KeyPath, str]]:
    cluster = context.plan.provider(EksPlan)
    named = dict.fromkeys(cluster.principals()) if cluster is not None else ()
    return [(path, arn) for path, arn in named if _parts(arn)[1] in KINDS]


def _parts(arn: str) -> tuple[str, str, str]:
    """Account, kind (``role``) and name of ``arn:aws:iam::ACCOUNT:role/PATH/NAME``."""
    account, resource = arn.split(":", 5)[4:]
    kind, _, rest = resource.partition("/")
    return account, kind, rest.rpartition("/")[2]


def _hint(context: PreflightQuery, arn: str) -> str:
    """The list to choose from, and the command that makes what is missing."""
    _, kind, name = _parts(arn)
    folder = arn.split(":", 5)[5].removeprefix(kind).removesuffix(name)
    path = f" --path {folder}" if folder != "/" else ""
    listing = f'`aws iam list-{kind}s --query "{kind.title()}s[].Arn"` shows those that there are'
    if folder.startswith(ROLE_PATH):
        return f"{listing}; assign the permission set to the account, and IAM Identity Center makes its role"
    if kind == "user":
        return f"{listing}; or make it: `aws iam create-user --user-name {name}{path}`"
    statement = {
        "Effect": "Allow",
        "Principal": {"AWS": f"arn:{context.plan.partition}:iam::{context.plan.account}:root"},
        "Action": "sts:AssumeRole",
    }
    trust = json.dumps({"Version": "2012-10-17", "Statement": [statement]}, separators=(",", ":"))
    make = f"aws iam create-role --role-name {name}{path} --assume-role-policy-document '{trust}'"
    return f"{listing}; or make one that administrators of the account may assume: `{make}`"
