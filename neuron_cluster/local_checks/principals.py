"""IAM roles and users that an environment names and that an empty local account does not have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from local_aws.clients import local_client
from local_aws.services.eks.access_entry import PRINCIPAL, existing_arn


def make_principals(endpoint: str, region: str, arns: Iterable[str]) -> list[str]:
    """Makes those of these roles and users that do not exist, each in its own account; their ARNs.

    On AWS they are there before the environment is, and EKS rejects an access entry for one that is not. An ARN of
    another kind is left alone: EKS then returns the error.
    """
    made = []
    for arn in arns:
        found = PRINCIPAL.fullmatch(arn)
        if found is None:
            continue
        iam = local_client("iam", endpoint, found["account"], region)
        if existing_arn(iam, found["kind"], found["name"]) is None:
            _make(iam, found)
            made.append(arn)
    return made


def _make(iam: Any, principal: re.Match[str]) -> None:
    if principal["kind"] == "user":
        iam.create_user(UserName=principal["name"], Path=principal["path"])
        return
    root = f"arn:{principal['partition']}:iam::{principal['account']}:root"
    statement = {"Effect": "Allow", "Principal": {"AWS": root}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.create_role(RoleName=principal["name"], Path=principal["path"], AssumeRolePolicyDocument=document)
