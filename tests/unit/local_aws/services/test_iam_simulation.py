"""`iam:SimulatePrincipalPolicy`: what policies of users and roles allow, by action and resource."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws

STACK = "arn:aws:cloudformation:us-west-2:111122223333:stack"


ASSUME = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
NO_KEYS: Mapping[str, str] = {}
ACCOUNTS = itertools.count(310000000001)
TRUST = {"Version": "2012-10-17", "Statement": [ASSUME]}


@pytest.fixture
def iam(local_aws: LocalAws) -> Any:
    """IAM of an account that no other test has."""
    return local_client("iam", local_aws.endpoint, f"{next(ACCOUNTS):012d}", "us-west-2")


def document(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Resource": "*", **each} for each in statements]})


def user(iam: Any, *statements: dict[str, Any], **settings: Any) -> str:
    arn = str(iam.create_user(UserName="ann", Path="/people/", **settings)["User"]["Arn"])
    if statements:
        iam.put_user_policy(UserName="ann", PolicyName="own", PolicyDocument=document(*statements))
    return arn


def decisions(
    iam: Any, arn: str, *actions: str, resources: tuple[str, ...] = ("*",), keys: Mapping[str, str] = NO_KEYS
) -> list[Any]:
    entries = [{"ContextKeyName": k, "ContextKeyValues": [v], "ContextKeyType": "string"} for k, v in keys.items()]
    return list(
        iam.simulate_principal_policy(
            PolicySourceArn=arn, ActionNames=list(actions), ResourceArns=list(resources), ContextEntries=entries
        )["EvaluationResults"]
    )


def words(
    iam: Any, arn: str, *actions: str, resources: tuple[str, ...] = ("*",), keys: Mapping[str, str] = NO_KEYS
) -> list[str]:
    found = decisions(iam, arn, *actions, resources=resources, keys=keys)
    return [each["EvalResourceDecision"] for row in found for each in row["ResourceSpecificResults"]]


def test_an_action_is_allowed_by_wildcard_and_nothing_else_is(iam: Any) -> None:
    arn = user(iam, {"Effect": "Allow", "Action": "ec2:Describe*"})
    assert words(iam, arn, "ec2:DescribeVpcs", "EC2:describevpcs", "ec2:RunInstances") == [
        "allowed",
        "allowed",
        "implicitDeny",
    ]


def test_each_resource_has_a_decision_and_the_worst_is_that_of_the_action(iam: Any) -> None:
    arn = user(iam, {"Effect": "Allow", "Action": "cloudformation:GetTemplate", "Resource": f"{STACK}/a-*"})
    (row,) = decisions(iam, arn, "cloudformation:GetTemplate", resources=(f"{STACK}/a-network/1", f"{STACK}/b/1"))
    assert [each["EvalResourceDecision"] for each in row["ResourceSpecificResults"]] == ["allowed", "implicitDeny"]
    assert row["EvalDecision"] == "implicitDeny"
    assert words(iam, arn, "cloudformation:GetTemplate") == ["implicitDeny"], "not on all resources"


def test_a_deny_wins_and_not_action_excepts(iam: Any) -> None:
    arn = user(iam, {"Effect": "Allow", "Action": "*"}, {"Effect": "Deny", "NotAction": "ec2:*"})
    assert words(iam, arn, "ec2:RunInstances", "s3:ListBucket") == ["allowed", "explicitDeny"]


def test_policies_of_groups_and_of_aws_count(iam: Any) -> None:
    arn = user(iam)
    assert words(iam, arn, "iam:CreateRole") == ["implicitDeny"]
    iam.create_group(GroupName="admins")
    iam.attach_group_policy(GroupName="admins", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
    iam.add_user_to_group(GroupName="admins", UserName="ann")
    assert words(iam, arn, "iam:CreateRole") == ["allowed"]


def test_a_boundary_limits_a_role_and_says_so(iam: Any) -> None:
    text = document({"Effect": "Allow", "Action": "s3:*"})
    boundary = iam.create_policy(PolicyName="edge", PolicyDocument=text)["Policy"]["Arn"]
    role = {"RoleName": "deployer", "AssumeRolePolicyDocument": json.dumps(TRUST), "PermissionsBoundary": boundary}
    arn = iam.create_role(**role)["Role"]["Arn"]
    everything = document({"Effect": "Allow", "Action": "*"})
    iam.put_role_policy(RoleName="deployer", PolicyName="all", PolicyDocument=everything)
    inside, outside = decisions(iam, arn, "s3:ListBucket", "ec2:DescribeVpcs")
    assert (inside["EvalDecision"], outside["EvalDecision"]) == ("allowed", "implicitDeny")
    detail = outside["ResourceSpecificResults"][0]["PermissionsBoundaryDecisionDetail"]
    assert detail == {"AllowedByPermissionsBoundary": False}


def test_a_condition_without_its_value_is_not_met_and_is_named(iam: Any) -> None:
    condition = {"StringEquals": {"aws:RequestedRegion": "us-west-2"}}
    arn = user(iam, {"Effect": "Allow", "Action": "*", "Condition": condition})
    (row,) = decisions(iam, arn, "ec2:DescribeVpcs")
    assert (row["EvalDecision"], row["MissingContextValues"]) == ("implicitDeny", ["aws:RequestedRegion"])
    assert words(iam, arn, "ec2:DescribeVpcs", keys={"aws:RequestedRegion": "us-west-2"}) == ["allowed"]
    assert words(iam, arn, "ec2:DescribeVpcs", keys={"aws:RequestedRegion": "us-east-1"}) == ["implicitDeny"]


def test_an_operator_that_is_not_simulated_is_rejected(iam: Any) -> None:
    condition = {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}
    arn = user(iam, {"Effect": "Deny", "Action": "*", "Condition": condition})
    with pytest.raises(ClientError, match="does not simulate the condition operator IpAddress"):
        words(iam, arn, "ec2:DescribeVpcs", keys={"aws:SourceIp": "10.1.1.1"})


def test_a_principal_that_is_not_there_is_an_error(iam: Any) -> None:
    with pytest.raises(ClientError, match="cannot be found"):
        words(iam, "arn:aws:iam::111122223333:role/nobody", "ec2:DescribeVpcs")
