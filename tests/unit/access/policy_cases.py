"""Requests, policies and what IAM decides: the first table of the evaluator's tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from neuron_cluster.access.decision import Decision, Policies, decide
from neuron_cluster.access.request import Request, request_context
from neuron_cluster.access.statement import Statement, statements_of

ACCOUNT = "111122223333"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/trainer"
SESSION = f"arn:aws:sts::{ACCOUNT}:assumed-role/trainer/pod"
BUCKET = "arn:aws:s3:::data"
OBJECT = f"{BUCKET}/teams/a/checkpoint"
KEY = f"arn:aws:kms:us-west-2:{ACCOUNT}:key/k"
TEAM = f"{BUCKET}/teams/${{aws:PrincipalTag/team}}/*"
TEAM_OR_SHARED = f"{BUCKET}/teams/${{aws:PrincipalTag/team, 'shared'}}/*"


class Case(NamedTuple):
    """One identity policy; the request is GetObject of OBJECT with no condition keys unless given."""

    about: str
    why: str
    allowed: bool
    statements: tuple[Mapping[str, Any], ...]
    context: Mapping[str, str | tuple[str, ...]] = {}
    action: str = "s3:GetObject"
    resource: str = OBJECT
    version: str = "2012-10-17"


def statement(**elements: Any) -> dict[str, Any]:
    """Allow of everything, with these elements; an element that is None is left out."""
    base = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    return {key: value for key, value in {**base, **elements}.items() if value is not None}


def when(operator: str, key: str, *values: Any, effect: str = "Allow") -> dict[str, Any]:
    return statement(Effect=effect, Condition={operator: {key: list(values)}})


def request(
    action: str = "s3:GetObject",
    resource: str = OBJECT,
    context: Mapping[str, str | tuple[str, ...]] | None = None,
    session: str = "",
) -> Request:
    return Request(ROLE, action, resource, request_context(context or {}), session)


def policy(*statements: Mapping[str, Any], name: str = "p", version: str = "2012-10-17") -> tuple[Statement, ...]:
    return statements_of({"Version": version, "Statement": list(statements)}, name)


def decided(case: Case) -> Decision:
    identity = policy(*case.statements, version=case.version)
    return decide(request(case.action, case.resource, case.context), Policies(identity=identity))


READS = statement(Action="s3:GetObject")
KINDS = (
    Case("default deny", "no statement names the request", False, (statement(Action="s3:PutObject"),)),
    Case("allow", "action and resource are named", True, (statement(Action="s3:GetObject", Resource=OBJECT),)),
    Case("explicit deny", "a deny wins over any allow", False, (statement(), statement(Effect="Deny"))),
    Case("deny of another action", "it does not apply", True, (READS, statement(Effect="Deny", Action="s3:Put*"))),
    Case("deny with an unmet condition", "it does not apply", True,
         (READS, when("Bool", "aws:SecureTransport", "false", effect="Deny")), {"aws:SecureTransport": "true"}),
    Case("allow with an unmet condition", "it is no deny: the other statement still allows", True,
         (READS, when("Bool", "aws:SecureTransport", "true")), {"aws:SecureTransport": "false"}),
    Case("NotAction", "applies to every action but those", True, (statement(Action=None, NotAction="iam:*"),)),
    Case("NotAction that names it", "applies to all others", False, (statement(Action=None, NotAction="s3:Get*"),)),
    Case("NotResource", "applies to every resource but those", True,
         (statement(Resource=None, NotResource=f"{BUCKET}/golden/*"),)),
    Case("NotResource that names it", "applies to all others", False,
         (statement(Resource=None, NotResource=f"{BUCKET}/teams/*"),)),
    Case("deny with NotResource", "denies all but the team's prefix", False,
         (READS, statement(Effect="Deny", Resource=None, NotResource=f"{BUCKET}/teams/b/*"))),
    Case("* in an action", "any number of characters", True, (statement(Action="s3:Get*"),)),
    Case("? in an action", "exactly one character", True, (statement(Action="s3:GetObjec?"),)),
    Case("? for no character", "exactly one character", False, (statement(Action="s3:GetObject?"),)),
    Case("case of an action", "IAM ignores it", True, (statement(Action="S3:getobject"),)),
    Case("case of a resource", "IAM does not ignore it", False,
         (statement(Resource=OBJECT.replace("teams", "Teams")),)),
    Case("* in a resource", "reaches over slashes", True, (statement(Resource=f"{BUCKET}/*point"),)),
    Case("the bucket for an object", "the ARN of the bucket names no object", False, (statement(Resource=BUCKET),)),
    Case("variable in a resource", "the team's own prefix", True, (statement(Resource=TEAM),),
         {"aws:PrincipalTag/team": "a"}),
    Case("variable of another team", "another prefix", False, (statement(Resource=TEAM),),
         {"aws:PrincipalTag/team": "b"}),
    Case("variable without a value", "the statement names nothing", False, (statement(Resource=TEAM),)),
    Case("default of a variable", "stands for the value", True, (statement(Resource=TEAM_OR_SHARED),),
         resource=f"{BUCKET}/teams/shared/x"),
    Case("default beside a value", "the value wins", False, (statement(Resource=TEAM_OR_SHARED),),
         {"aws:PrincipalTag/team": "a"}, resource=f"{BUCKET}/teams/shared/x"),
    Case("IfExists of an absent key", "accepts it", True, (when("StringEqualsIfExists", "aws:SourceVpc", "vpc-1"),)),
    Case("IfExists of a present key", "compares it", False, (when("StringEqualsIfExists", "aws:SourceVpc", "vpc-1"),),
         {"aws:SourceVpc": "vpc-2"}),
    Case("Null", "true: the key must be absent", True, (when("Null", "aws:SourceVpc", "true"),)),
    Case("Null false", "the key must be present", False, (when("Null", "aws:SourceVpc", "false"),)),
    Case("plain operator, absent key", "does not accept it", False, (when("StringEquals", "aws:SourceVpc", "vpc-1"),)),
    Case("negated operator, absent key", "accepts it", True, (when("StringNotEquals", "aws:SourceVpc", "vpc-1"),)),
    Case("Bool", "whatever the case", True, (when("Bool", "aws:SecureTransport", "True"),),
         {"aws:SecureTransport": "true"}),
    Case("Numeric", "as numbers, not as texts", True, (when("NumericLessThan", "s3:max-keys", "100"),),
         {"s3:max-keys": "9"}),
    Case("Arn", "part by part", True, (when("ArnLike", "aws:PrincipalArn", "arn:aws:iam::*:role/*"),),
         {"aws:PrincipalArn": ROLE}),
    Case("ForAnyValue", "one of the values is enough", True,
         (when("ForAnyValue:StringEquals", "aws:TagKeys", "team"),), {"aws:TagKeys": ("owner", "team")}),
    Case("ForAnyValue, absent key", "there is no value", False,
         (when("ForAnyValue:StringEquals", "aws:TagKeys", "team"),)),
    Case("ForAllValues", "each value must match", False,
         (when("ForAllValues:StringEquals", "aws:TagKeys", "team"),), {"aws:TagKeys": ("owner", "team")}),
    Case("ForAllValues, absent key", "no value contradicts", True,
         (when("ForAllValues:StringEquals", "aws:TagKeys", "team"),)),
)  # fmt: skip
"""Explicit deny, Not*, wildcards, case, variables, IfExists, Null, operators and sets: some with their opposite."""
