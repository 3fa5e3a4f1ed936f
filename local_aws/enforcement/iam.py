"""Roles as the rules see them: by the policy that says who may take them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from local_aws.enforcement.subject import Subject, reading
from local_aws.service import Call

ROLE = "AWS::IAM::Role"


@reading("iam", "CreateRole", "UpdateAssumeRolePolicy")
def role(call: Call) -> Iterator[Subject]:
    """That a text is no JSON, IAM says itself."""
    given = call.parameters
    try:
        document = json.loads(given.get("AssumeRolePolicyDocument", given.get("PolicyDocument", "")))
    except ValueError:
        return
    yield Subject("iam:CreateRole", ROLE, {"AssumeRolePolicyDocument": document})
