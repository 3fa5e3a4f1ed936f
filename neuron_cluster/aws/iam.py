"""Roles and users of IAM."""

from __future__ import annotations

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
