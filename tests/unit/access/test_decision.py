"""Decisions of the evaluator, next to those of IAM, and what must hold for every policy."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from neuron_cluster.access.decision import EXPLICIT_DENY, NO_STATEMENT, Policies, decide
from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.operators import OPERATORS
from neuron_cluster.access.statement import Statement, statements_of
from tests.every_run import in_every_run

from .policy_cases import (
    ACCOUNT,
    KEY,
    KINDS,
    OBJECT,
    READS,
    ROLE,
    SESSION,
    Case,
    decided,
    policy,
    request,
    statement,
    when,
)

KEYS = "aws:SourceIdentity"


@pytest.mark.parametrize("case", KINDS, ids=lambda case: case.about)
def test_kinds_of_policies(case: Case) -> None:
    assert decided(case).is_allowed is case.allowed, case.why


@pytest.mark.parametrize(
    ("operator", "value", "met", "unmet"),
    [
        ("StringEquals", "a*", "a*", "A*"),
        ("StringNotEquals", "a", "b", "a"),
        ("StringEqualsIgnoreCase", "a", "A", "b"),
        ("StringNotEqualsIgnoreCase", "a", "b", "A"),
        ("StringLike", "teams/?/*", "teams/a/b/c", "teams/ab/c"),
        ("StringNotLike", "teams/*", "golden/", "teams/"),
        ("NumericEquals", "1.20", "1.2", "1.3"),
        ("NumericNotEquals", "1", "2", "1.0"),
        ("NumericLessThan", "10", "9", "10"),
        ("NumericLessThanEquals", "10", "10", "11"),
        ("NumericGreaterThan", "10", "11", "10"),
        ("NumericGreaterThanEquals", "10", "10", "9"),
        ("DateEquals", "2026-01-01T00:00:00Z", "1767225600", "2026-01-02"),
        ("DateNotEquals", "2026-01-01", "2026-01-02", "2026-01-01T00:00:00Z"),
        ("DateLessThan", "2026-01-01", "2025-12-31", "2026-01-01"),
        ("DateLessThanEquals", "2026-01-01", "2026-01-01", "2026-01-02"),
        ("DateGreaterThan", "2026-01-01", "2026-01-01T00:00:01+00:00", "2026-01-01"),
        ("DateGreaterThanEquals", "2026-01-01", "2026-01-01", "2025-12-31"),
        ("Bool", "true", "TRUE", "false"),
        ("BinaryEquals", "QmluYXJ5", "QmluYXJ5", "QmluYXJz"),
        ("IpAddress", "10.0.0.0/8", "10.1.2.3", "192.168.0.1"),
        ("NotIpAddress", "10.0.0.0/8", "2001:db8::1", "10.1.2.3"),
        ("ArnEquals", "arn:aws:iam::*:role/a*", "arn:aws:iam::1:role/ab", "arn:aws:iam::1:user/ab"),
        ("ArnNotEquals", "arn:aws:iam::1:role/a", "arn:aws:iam::2:role/a", "arn:aws:iam::1:role/a"),
        ("ArnLike", "arn:aws:iam::1:role/?", "arn:aws:iam::1:role/a", "arn:aws:iam:x:1:role/a"),
        ("ArnNotLike", "arn:aws:iam::*:role/*", "arn:aws:iam::1:user/a", "arn:aws:iam::1:role/a"),
    ],
)
def test_each_operator(operator: str, value: str, met: str, unmet: str) -> None:
    """Plain, with IfExists and in both sets, for one value and for none."""
    for prefix, suffix in itertools.product(("", "ForAllValues:", "ForAnyValue:"), ("", "IfExists")):
        written = policy(when(f"{prefix}{operator}{suffix}", KEYS, value))
        absent = bool(suffix) or prefix == "ForAllValues:" or (not prefix and OPERATORS[operator].negated)
        found = [
            decide(request(context=context), Policies(identity=written)).is_allowed
            for context in ({KEYS: met}, {KEYS: unmet}, {})
        ]
        assert found == [True, False, absent], f"{prefix}{operator}{suffix}"


def test_there_are_27_operators() -> None:
    assert len(OPERATORS) == 27


@pytest.mark.parametrize(
    ("operator", "values", "allowed"),
    [
        ("ForAnyValue:StringNotEquals", ("a", "b"), True),
        ("ForAllValues:StringNotEquals", ("a", "b"), False),
        ("ForAllValues:StringNotEquals", ("b", "c"), True),
        ("ForAnyValue:StringNotEquals", ("a",), False),
    ],
)
def test_negated_operators_in_sets(operator: str, values: tuple[str, ...], allowed: bool) -> None:
    found = decide(
        request(context={"aws:TagKeys": values}), Policies(identity=policy(when(operator, "aws:TagKeys", "a")))
    )
    assert found.is_allowed is allowed


def test_several_keys_are_all_required_and_several_values_are_alternatives() -> None:
    written = policy(statement(Condition={"StringEquals": {"aws:SourceVpc": ["v1", "v2"], "aws:UserAgent": "x"}}))
    found = [
        decide(request(context=context), Policies(identity=written)).is_allowed
        for context in ({"aws:SourceVpc": "v2", "aws:UserAgent": "x"}, {"aws:SourceVpc": "v2"})
    ]
    assert found == [True, False]


def test_keys_are_compared_without_case() -> None:
    written = policy(when("StringEquals", "AWS:sourcevpc", "v"))
    assert decide(request(context={"aws:SourceVpc": "v"}), Policies(identity=written)).is_allowed


def test_a_wildcard_in_the_value_of_a_variable_is_text() -> None:
    written = policy(statement(Resource="arn:aws:s3:::data/teams/${aws:PrincipalTag/team}/*"))
    assert not decide(request(context={"aws:PrincipalTag/team": "*"}), Policies(identity=written)).is_allowed


def test_escaped_wildcards_are_text() -> None:
    written = policy(statement(Resource="arn:aws:s3:::data/${*}"))
    found = [
        decide(request(resource=f"arn:aws:s3:::data/{key}"), Policies(identity=written)).is_allowed for key in "*a"
    ]
    assert found == [True, False]


def test_policies_of_the_old_version_have_no_variables() -> None:
    written = policy(statement(Resource="arn:aws:s3:::data/teams/${aws:PrincipalTag/team}/*"), version="2008-10-17")
    assert not decide(request(context={"aws:PrincipalTag/team": "a"}), Policies(identity=written)).is_allowed


@pytest.mark.parametrize(
    ("written", "named"),
    [
        (when("StringMatches", "aws:SourceVpc", "v"), "StringMatches"),
        (when("NullIfExists", "aws:SourceVpc", "true"), "NullIfExists"),
        (when("ForSomeValues:StringEquals", "aws:SourceVpc", "v"), "ForSomeValues:StringEquals"),
        (when("StringEquals", "aws:NoSuchKey", "v"), "aws:NoSuchKey"),
        (when("StringEquals", "nokey", "v"), "nokey"),
        (when("NumericEquals", "s3:max-keys", "${aws:username}"), "NumericEquals"),
        (when("NumericEquals", "s3:max-keys", "many"), "many"),
        (when("Bool", "s3:max-keys", "yes"), "yes"),
        (statement(Resource="arn:aws:s3:::data/${aws:NoSuchKey}"), "aws:NoSuchKey"),
        (statement(Resource="arn:aws:s3:::data/${team}"), "team"),
        (statement(Resource="arn:aws:s3:::data/${aws:username"), "does not end"),
        (statement(NotPrincipal={"AWS": ROLE}), "NotPrincipal"),
        (statement(Effect="Permit"), "Permit"),
        (statement(NotAction="s3:*"), "NotAction"),
        (statement(Resource=None), "NotResource"),
        (statement(Resource=[{"Ref": "Bucket"}]), "Ref"),
        (statement(Principal={"Role": ROLE}), "Role"),
    ],
)
def test_what_is_not_known_is_refused_by_name(written: dict[str, Any], named: str) -> None:
    with pytest.raises(PolicyError, match=named.replace("$", r"\$")):
        decide(request(context={"s3:max-keys": "1"}), Policies(identity=policy(written)))


def test_a_plain_operator_on_several_values_is_refused() -> None:
    with pytest.raises(PolicyError, match="aws:TagKeys"):
        decide(
            request(context={"aws:TagKeys": ("a", "b")}),
            Policies(identity=policy(when("StringEquals", "aws:TagKeys", "a"))),
        )


def resource_policy(principal: str, effect: str = "Allow") -> tuple[Statement, ...]:
    return policy(statement(Effect=effect, Principal={"AWS": principal}), name="resource")


ROOT = f"arn:aws:iam::{ACCOUNT}:root"
NOTHING = policy(statement(Action="sqs:*"))


@pytest.mark.parametrize(
    ("about", "policies", "allowed"),
    [
        ("a resource policy for the role allows alone", Policies(resource=resource_policy(ROLE)), True),
        ("one for everybody too", Policies(resource=resource_policy("*")), True),
        ("one for the account leaves it to IAM", Policies(resource=resource_policy(ROOT)), False),
        ("one for another role", Policies(resource=resource_policy(f"{ROLE}2")), False),
        ("a deny for the account is one for its roles",
         Policies(identity=policy(READS), resource=resource_policy(ROOT, "Deny")), False),
        ("a deny for another role",
         Policies(identity=policy(READS), resource=resource_policy(f"{ROLE}2", "Deny")), True),
        ("a key without a statement for the account", Policies(identity=policy(READS), is_key=True), False),
        ("a key that leaves it to IAM",
         Policies(identity=policy(READS), resource=resource_policy(ACCOUNT), is_key=True), True),
        ("a key that leaves it to IAM, which is silent", Policies(resource=resource_policy(ROOT), is_key=True), False),
        ("a key for the role", Policies(resource=resource_policy(ROLE), is_key=True), True),
        ("a boundary that allows", Policies(identity=policy(READS), boundary=policy(READS)), True),
        ("a boundary that is silent", Policies(identity=policy(READS), boundary=NOTHING), False),
        ("a boundary grants nothing", Policies(boundary=policy(READS)), False),
        ("a session policy that is silent", Policies(identity=policy(READS), session=NOTHING), False),
        ("all three allow", Policies(identity=policy(READS), boundary=policy(READS), session=policy(READS)), True),
        ("a boundary that denies",
         Policies(resource=resource_policy(SESSION), boundary=policy(statement(Effect="Deny"))), False),
        ("a boundary limits a grant to the role", Policies(resource=resource_policy(ROLE), boundary=NOTHING), False),
        ("a silent boundary does not limit a grant to the session",
         Policies(resource=resource_policy(SESSION), boundary=NOTHING), True),
    ],
)  # fmt: skip
def test_policies_together(about: str, policies: Policies, allowed: bool) -> None:
    assert decide(request(session=SESSION), policies).is_allowed is allowed, about


def test_a_decision_names_its_statements() -> None:
    written = policy({**READS, "Sid": "Reads"}, statement(Effect="Deny", Action="s3:Put*"), name="role")
    reads, writes, lists = (
        decide(request(action), Policies(identity=written))
        for action in ("s3:GetObject", "s3:PutObject", "s3:ListBucket")
    )
    assert reads.statements == ("role[0] Reads",)
    assert (writes.reason, writes.statements) == (EXPLICIT_DENY, ("role[1]",))
    assert (lists.reason, lists.statements) == (NO_STATEMENT, ())


def test_a_document_that_is_no_policy_is_refused() -> None:
    with pytest.raises(PolicyError, match="bucket is not a policy"):
        statements_of({"Version": "2012-10-17"}, "bucket")


def random_statement(chance: random.Random, effect: str | None = None) -> dict[str, Any]:
    """Returns a statement of few names, so that most apply to some request."""
    action = {chance.choice(("Action", "NotAction")): chance.choice(("s3:*", "s3:Get*", "s3:GetObject", "*"))}
    resource = {
        chance.choice(("Resource", "NotResource")): chance.choice(("*", OBJECT, f"{OBJECT}?", "arn:aws:s3:::d*/*"))
    }
    conditions: tuple[dict[str, Any], ...] = (
        {},
        {"Bool": {"aws:SecureTransport": "true"}},
        {"StringNotEquals": {"aws:SourceVpc": "v"}},
    )
    chosen = effect or chance.choice(("Allow", "Allow", "Deny"))
    return {"Effect": chosen, **action, **resource, "Condition": chance.choice(conditions)}


def random_request(chance: random.Random) -> Any:
    context = {"aws:SecureTransport": chance.choice(("true", "false")), "aws:SourceVpc": chance.choice(("v", "w"))}
    return request(chance.choice(("s3:GetObject", "s3:PutObject", KEY)), chance.choice((OBJECT, f"{OBJECT}2")), context)


@pytest.mark.parametrize("seed", in_every_run(range(300), range(100)))
def test_what_holds_for_every_policy(seed: int) -> None:
    """Order does not matter; a deny, a boundary and a session policy only take away; an allow only adds."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    written, asked = [random_statement(chance) for _ in range(chance.randint(1, 5))], random_request(chance)
    allowed = decide(asked, Policies(identity=policy(*written))).is_allowed
    shuffled = chance.sample(written, len(written))
    denied_more = policy(*written, random_statement(chance, "Deny"))
    limit = policy(random_statement(chance))
    assert decide(asked, Policies(identity=policy(*shuffled))).is_allowed is allowed
    assert decide(asked, Policies(identity=denied_more)).is_allowed <= allowed
    assert decide(asked, Policies(identity=policy(*written), boundary=limit)).is_allowed <= allowed
    assert decide(asked, Policies(identity=policy(*written), session=limit)).is_allowed <= allowed
    assert decide(asked, Policies(identity=policy(*written, random_statement(chance, "Allow")))).is_allowed >= allowed
