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


def user_arn(target: Target, name: str) -> str | None:
    """ARN of the user of this name, with its path; None when the account has none."""
    iam = client(target, "iam")
    with translated():
        try:
            return str(iam.get_user(UserName=name)["User"]["Arn"])
        except iam.exceptions.NoSuchEntityException:
            return None
