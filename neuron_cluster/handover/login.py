"""How members and operators of a team sign in: by the form of the ARN of the IAM role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team

PERMISSION_SET = re.compile(r":role/aws-reserved/sso\.amazonaws\.com/(?:[a-z0-9-]+/)?AWSReservedSSO_(?P<name>.+)_\w+$")
"""The role that IAM Identity Center makes for a permission set
(https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html)."""


class PermissionSet(str):
    """The name of a permission set of IAM Identity Center."""

    __slots__ = ()


class Login(Struct, frozen=True):
    """The commands of the people with one role or permission set, in order."""

    profile: str
    """Profile of the AWS CLI."""
    sentence: str
    commands: tuple[str, ...]


def context_name(plan: ClusterPlan, team: Team) -> str:
    """The context of the kubeconfig, and the profile of the AWS CLI."""
    return f"{plan.name}-{team.name}"


def operator_context(plan: ClusterPlan, team: Team) -> str:
    """Another one than that of members: a person may be both."""
    return f"{context_name(plan, team)}-operators"


def logins(plan: ClusterPlan, cluster: KubernetesPlan, team: Team) -> Iterator[Login]:
    """One for each member of the team, in the order of the file."""
    return _logins(plan, cluster, team.principals, context_name(plan, team), "Members")


def operator_logins(plan: ClusterPlan, cluster: KubernetesPlan, team: Team) -> Iterator[Login]:
    """One for each operator, likewise."""
    return _logins(plan, cluster, [each.arn for each in team.operators], operator_context(plan, team), "Operators")


def sign_ins(plan: ClusterPlan, team: Team) -> Iterator[Login]:
    """To AWS alone, one for each role and permission set of the members, whether or not the lock has its role."""
    roles = [each.arn for each in team.members if "permission_sets" not in each.path]
    everyone = [*map(_role_or_set, roles), *map(PermissionSet, team.permission_sets)]
    return _sign_ins(plan, everyone, context_name(plan, team), "Members")


def _role_or_set(role: str) -> str:
    found = PERMISSION_SET.search(role)
    return role if found is None else PermissionSet(found["name"])


def _logins(
    plan: ClusterPlan, cluster: KubernetesPlan, roles: Sequence[str], context: str, who: str
) -> Iterator[Login]:
    for login in _sign_ins(plan, list(map(_role_or_set, roles)), context, who):
        enter = f"{cluster.kubeconfig_command(plan.region)} --alias {context} --profile {login.profile}"
        yield Login(login.profile, login.sentence, (*login.commands, enter))


def _sign_ins(plan: ClusterPlan, roles: Sequence[str], context: str, who: str) -> Iterator[Login]:
    """Profiles of further roles have a number."""
    for number, role in enumerate(roles, 1):
        profile = context + (f"-{number}" if number > 1 else "")
        if isinstance(role, PermissionSet):
            sentence = (
                f"{who} with the permission set {role} of IAM Identity Center in account {plan.account}. "
                "`aws configure sso` asks for the start URL of your organization, the account and the permission set."
            )
            sign_in: tuple[str, ...] = (f"aws configure sso --profile {profile}", f"aws sso login --profile {profile}")
        else:
            sentence = (
                f"{who} who may assume the role {role}. `default` is the profile with which you sign in: replace it "
                "where yours has another name."
            )
            sign_in = (
                f"aws configure set role_arn {role} --profile {profile}",
                f"aws configure set source_profile default --profile {profile}",
                f"aws configure set region {plan.region} --profile {profile}",
            )
        yield Login(profile, sentence, sign_in)
