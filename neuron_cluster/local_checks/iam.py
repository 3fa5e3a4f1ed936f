"""Roles as the rules see them: by their trust policies."""

from __future__ import annotations

import json
from collections.abc import Iterator

from local_aws.contract import Call
from neuron_cluster.local_checks.rule_input import RuleInput, request_reader

ROLE = "AWS::IAM::Role"


@request_reader("iam", "CreateRole", "UpdateAssumeRolePolicy")
def role(call: Call) -> Iterator[RuleInput]:
    """IAM itself rejects a text that is not JSON."""
    given = call.parameters
    try:
        document = json.loads(given.get("AssumeRolePolicyDocument", given.get("PolicyDocument", "")))
    except ValueError:
        return
    yield RuleInput("iam:CreateRole", ROLE, {"AssumeRolePolicyDocument": document})
