"""The changelog names every resource that became another one since the last release."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from write_identities import FILE, Identities, identities, identity

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def unnamed(before: Identities, now: Identities, unreleased: str) -> list[str]:
    """Resources that are gone or became others, and whose logical id does not stand in the changelog."""
    return [
        f"{place}: {was} -> {now[environment].get(place, 'gone')}"
        for environment, resources in before.items()
        if environment in now
        for place, was in resources.items()
        if now[environment].get(place) != was and f"`{place.partition('/')[2]}`" not in unreleased
    ]


def unreleased_part(changelog: str) -> str:
    """Returns the text under the heading of the next release."""
    parts = re.split(r"(?m)^## ", changelog)
    return next(part for part in parts if part.startswith("Unreleased"))


def test_every_changed_identity_is_named() -> None:
    before = json.loads(FILE.read_text(encoding="utf-8"))
    missing = unnamed(before, identities(), unreleased_part(CHANGELOG.read_text(encoding="utf-8")))
    assert missing == [], "name each `LogicalId` with its effect under Unreleased in CHANGELOG.md"


@pytest.mark.parametrize(
    ("now", "said", "expected"),
    [
        ({"net/Vpc": "AWS::EC2::VPC b"}, "", ["net/Vpc: AWS::EC2::VPC a -> AWS::EC2::VPC b"]),
        ({}, "", ["net/Vpc: AWS::EC2::VPC a -> gone"]),
        ({"net/Vpc": "AWS::EC2::VPC b"}, "`Vpc` is replaced", []),
        ({"net/Vpc": "AWS::EC2::VPC a", "net/New": "AWS::EC2::Subnet c"}, "", []),
    ],
)
def test_what_must_be_named(now: dict[str, str], said: str, expected: list[str]) -> None:
    assert unnamed({"e": {"net/Vpc": "AWS::EC2::VPC a"}}, {"e": now}, said) == expected


def test_an_identity_is_what_can_only_be_given_at_creation() -> None:
    one = identity("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16", "EnableDnsSupport": True})
    assert one == identity("AWS::EC2::VPC", {"CidrBlock": "10.0.0.0/16", "EnableDnsSupport": False})
    assert one != identity("AWS::EC2::VPC", {"CidrBlock": "10.1.0.0/16", "EnableDnsSupport": True})
