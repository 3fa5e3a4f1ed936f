"""Requests that IAM rejects: policies of identities, trust policies, names and numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
READ = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::bucket/*"}
ASSUME = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
SYNTAX, LEGACY = "Syntax errors in policy.", "The policy failed legacy parsing"
MANAGED = "arn:aws:iam::aws:policy/"


@pytest.fixture
def iam(client: Callable[[str], Any]) -> Any:
    return client("iam")


@pytest.fixture
def role(iam: Any) -> str:
    """A role that is there once for all tests of the module."""
    if "tested" not in [each["RoleName"] for each in iam.list_roles()["Roles"]]:
        iam.create_role(RoleName="tested", AssumeRolePolicyDocument=policy(ASSUME))
    return "tested"


def policy(*statements: Any, **top: Any) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements), **top})


def condition(operator: str, value: Any) -> dict[str, Any]:
    return {**READ, "Condition": {operator: {"aws:key": value}}}


def without(member: str) -> dict[str, Any]:
    return {name: value for name, value in READ.items() if name != member}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (policy(READ, Conditions={}), SYNTAX),
        (policy(READ, Version="2012-10-18"), SYNTAX),
        (policy(), SYNTAX),
        (policy({**READ, "Actions": "s3:*"}), SYNTAX),
        (policy(without("Effect")), SYNTAX),
        (policy({**READ, "Effect": "allow"}), LEGACY),
        (policy({**READ, "Sid": "with space"}), "Statement IDs (SID) must be alpha-numeric"),
        (policy({**READ, "Sid": "a"}, {**READ, "Sid": "a"}), "Statement IDs (SID) in a single policy must be unique."),
        (policy({**READ, "NotAction": "s3:*"}), SYNTAX),
        (policy(without("Action")), "Policy statement must contain actions."),
        (policy(without("Resource")), "Policy statement must contain resources."),
        (policy({**READ, "Principal": "*"}), "Policy document should not specify a principal."),
        (policy({**READ, "Action": "GetObject"}), "Actions/Conditions must be prefaced by a vendor"),
        (policy({**READ, "Action": "s3:Get:Object"}), "Actions/Condition can contain only one colon."),
        (
            policy({**READ, "Action": "s*:GetObject"}),
            "Action vendors (e.g., aws, ec2, etc.) must not contain wildcards",
        ),
        (policy({**READ, "Resource": "bucket"}), "Resource bucket must be in ARN format or"),
        (policy({**READ, "Resource": "arn:aws:s3:bucket"}), LEGACY),
        (policy({**READ, "Resource": "arn:aws:*:::bucket"}), "Resource vendor must be fully qualified"),
        (policy({**READ, "Resource": "arn:aws-cn:s3:::bucket"}), 'Partition "aws-cn" is not valid for resource'),
        (policy({**READ, "Resource": "arn:aws:s3:us-east-1::bucket"}), "can not contain region information"),
        (policy({**READ, "Resource": "arn:aws:s3::111122223333:bucket"}), "cannot contain an account id"),
        (policy(condition("StringEqual", "a")), SYNTAX),
        (policy(condition("NullIfExists", "true")), SYNTAX),
        (policy({**READ, "Condition": ["StringEquals"]}), SYNTAX),
        (policy(condition("StringEquals", {"a": "b"})), SYNTAX),
        (policy(condition("NumericLessThan", "ten")), LEGACY),
        (policy(condition("DateGreaterThan", "tomorrow")), LEGACY),
        (policy(condition("ArnLike", "role/x")), LEGACY),
        (policy(condition("NotIpAddress", "example.com")), LEGACY),
        (policy(condition("BinaryEquals", "not base64!")), SYNTAX),
    ],
)
def test_an_inline_policy_is_rejected(iam: Any, role: str, refused: Refused, text: str, reason: str) -> None:
    code, message = refused(iam.put_role_policy, RoleName=role, PolicyName="p", PolicyDocument=text)
    assert (code, reason in message) == ("MalformedPolicyDocument", True), message


@pytest.mark.parametrize(
    "text",
    [
        policy(READ, Version="2008-10-17"),
        policy({**READ, "Action": "*", "Resource": "*"}),
        policy(condition("NumericLessThanIfExists", 10), condition("Bool", value=True)),
        policy(condition("DateGreaterThan", ["2026-01-01T00:00:00Z", "1767225600"])),
        policy(
            condition("ForAnyValue:ArnLike", "arn:aws:iam::*:role/*"), condition("ArnEquals", "${aws:PrincipalArn}")
        ),
        policy(condition("IpAddress", ["10.0.0.0/8", "2001:db8::/32"]), condition("BinaryEquals", "aGVsbG8=")),
        policy({**READ, "Resource": "arn:aws:s3:us-east-1:111122223333:accesspoint/a"}),
    ],
)
def test_an_inline_policy_is_kept(iam: Any, role: str, text: str) -> None:
    iam.put_role_policy(RoleName=role, PolicyName="kept", PolicyDocument=text)
    assert iam.get_role_policy(RoleName=role, PolicyName="kept")["PolicyDocument"] == json.loads(text)
    iam.delete_role_policy(RoleName=role, PolicyName="kept")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ({"Action": "s3:GetObject"}, "AssumeRole policy may only specify STS AssumeRole actions."),
        ({"Action": "sts:*"}, "AssumeRole policy may only specify STS AssumeRole actions."),
        ({"Principal": "*"}, "AssumeRolepolicy contained an invalid principal"),
        ({"Principal": {"AWS": "me"}}, 'Invalid principal in policy: "AWS":"me"'),
        ({"Principal": {"Service": "ec2"}}, 'Invalid principal in policy: "SERVICE":"ec2"'),
        ({"Principal": {"Service": "*.amazonaws.com"}}, "Invalid principal in policy"),
        (
            {
                "Principal": {"Federated": "cognito-identity.amazonaws.com"},
                "Action": "sts:AssumeRoleWithWebIdentity",
            },
            "A condition block must be present for the Cognito provider",
        ),
        ({"Effect": "allow"}, LEGACY),
    ],
)
def test_a_trust_policy_is_rejected(iam: Any, refused: Refused, statement: Any, reason: str) -> None:
    text = policy({**ASSUME, **statement})
    code, message = refused(iam.create_role, RoleName="untrusted", AssumeRolePolicyDocument=text)
    assert (code, reason in message) == ("MalformedPolicyDocument", True), message


def test_a_trust_policy_names_identities_that_exist(iam: Any, role: str, refused: Refused) -> None:
    arn: str = iam.get_role(RoleName=role)["Role"]["Arn"]
    nobody = f"{arn}-nobody"
    text = policy({**ASSUME, "Principal": {"AWS": [arn, nobody]}})
    answer = ("MalformedPolicyDocument", f'Invalid principal in policy: "AWS":"{nobody}"')
    assert refused(iam.create_role, RoleName="untrusted", AssumeRolePolicyDocument=text) == answer
    assert refused(iam.update_assume_role_policy, RoleName=role, PolicyDocument=text) == answer
    iam.update_assume_role_policy(RoleName=role, PolicyDocument=policy({**ASSUME, "Principal": {"AWS": arn}}))


def test_a_trust_policy_of_accounts_and_sessions_is_taken(iam: Any, role: str) -> None:
    principals = ["*", "111122223333", "arn:aws:iam::111122223333:root", "arn:aws:sts::111122223333:assumed-role/a/b"]
    text = policy({**ASSUME, "Principal": {"AWS": principals}, "Action": ["sts:AssumeRole", "sts:TagSession"]})
    iam.update_assume_role_policy(RoleName=role, PolicyDocument=text)


def test_policies_of_a_role_are_limited_in_size_and_number(iam: Any, role: str, refused: Refused) -> None:
    half = policy({**READ, "Resource": [f"arn:aws:s3:::{'b' * 55}{number:02}/*" for number in range(70)]})
    iam.put_role_policy(RoleName=role, PolicyName="one", PolicyDocument=half)
    iam.put_role_policy(RoleName=role, PolicyName="one", PolicyDocument=half)
    two = {"RoleName": role, "PolicyName": "two", "PolicyDocument": half}
    assert refused(iam.put_role_policy, **two) == (
        "LimitExceeded",
        "Maximum policy size of 10240 bytes exceeded for role tested",
    )
    iam.delete_role_policy(RoleName=role, PolicyName="one")
    whole = policy({**READ, "Resource": [f"arn:aws:s3:::{'b' * 55}{number:02}/*" for number in range(99)]})
    code, text = refused(iam.create_policy, PolicyName="large", PolicyDocument=whole)
    assert (code, text) == ("LimitExceeded", "Cannot exceed quota for PolicySize: 6144")
    trust = policy(*({**ASSUME, "Sid": f"Statement{number}"} for number in range(30)))
    assert refused(iam.update_assume_role_policy, RoleName=role, PolicyDocument=trust)[0] == "LimitExceeded"
    arns = [each["Arn"] for each in iam.list_policies(Scope="AWS", MaxItems=21)["Policies"]]
    for arn in arns[:-1]:
        iam.attach_role_policy(RoleName=role, PolicyArn=arn)
    iam.attach_role_policy(RoleName=role, PolicyArn=arns[0])
    assert "PoliciesPerRole" in refused(iam.attach_role_policy, RoleName=role, PolicyArn=arns[-1])[1]
    for arn in arns[:-1]:
        iam.detach_role_policy(RoleName=role, PolicyArn=arn)


def test_names_and_arns_that_iam_rejects(iam: Any, role: str, refused: Refused) -> None:
    given = {"RoleName": "fresh", "AssumeRolePolicyDocument": policy(ASSUME)}
    assert "are reserved for AWS Service Linked" in refused(iam.create_role, **given, Path="/aws-service-role/x/")[1]
    boundary = "arn:aws:iam::111122223333:role/x"
    assert refused(iam.create_role, **given, PermissionsBoundary=boundary)[1] == f"ARN {boundary} is not valid."
    nowhere = "arn:aws:iam::111122223333:policy/nowhere"
    for boundary in (nowhere, f"{MANAGED}NothingAtAll"):
        code, message = refused(iam.create_role, **given, PermissionsBoundary=boundary)
        assert (code, message) == ("NoSuchEntity", f"Scope ARN: {boundary} does not exist or is not attachable.")
    foreign = "arn:aws-cn:iam::aws:policy/ReadOnlyAccess"
    assert "Invalid ARN partition" in refused(iam.attach_role_policy, RoleName=role, PolicyArn=foreign)[1]
    iam.create_role(**given, Path="/service-role/", PermissionsBoundary=f"{MANAGED}ReadOnlyAccess")
    iam.create_instance_profile(InstanceProfileName="single")
    iam.add_role_to_instance_profile(InstanceProfileName="single", RoleName=role)
    code, text = refused(iam.add_role_to_instance_profile, InstanceProfileName="single", RoleName="fresh")
    assert (code, text) == ("LimitExceeded", "Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1")
