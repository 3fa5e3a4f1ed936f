"""Policy documents of the same meaning are equal, others are not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from local_aws.resource_types.property_differences import property_differences
from neuron_cluster.drift.policies import with_canonical_policies

WRITTEN: dict[str, Any] = {
    "Version": "2012-10-17",
    "Statement": {
        "Effect": "Allow",
        "Action": "s3:GetObject",
        "Resource": ["arn:aws:s3:::b/*"],
        "Principal": {"AWS": "arn:aws:iam::111122223333:root"},
        "Condition": {"Bool": {"aws:SecureTransport": True}},
    },
}


def same(statement: dict[str, Any]) -> bool:
    """Whether a service that returns this instead of the statement has what was written."""
    returned = {"Version": "2012-10-17", "Statement": [{**WRITTEN["Statement"], **statement}]}
    before, after = (with_canonical_policies({"PolicyDocument": each}) for each in (WRITTEN, json.dumps(returned)))
    return property_differences(before, after) == []


@pytest.mark.parametrize(
    "statement",
    [
        {},
        {"Action": ["s3:GetObject"]},
        {"Sid": "Named"},
        {"Resource": "arn:aws:s3:::b/*"},
        {"Principal": {"AWS": "111122223333"}},
        {"Principal": {"AWS": ["arn:aws:iam::111122223333:root"]}},
        {"Condition": {"Bool": {"aws:SecureTransport": ["true"]}}},
    ],
)
def test_another_form_of_a_statement_is_equal(statement: dict[str, Any]) -> None:
    assert same(statement)


@pytest.mark.parametrize(
    "statement",
    [
        {"Action": ["s3:GetObject", "s3:PutObject"]},
        {"Resource": "*"},
        {"Principal": {"AWS": "999999999999"}},
        {"Principal": "*"},
        {"Effect": "Deny"},
        {"NotAction": "s3:DeleteObject"},
        {"Principal": {"AWS": "111122223333", "Service": "ec2.amazonaws.com"}},
        {"Condition": {"Bool": {"aws:SecureTransport": "true"}, "StringEquals": {"aws:SourceVpc": "vpc-1"}}},
        {"Condition": {"Bool": {"aws:SecureTransport": "false"}}},
    ],
)
def test_another_meaning_of_a_statement_is_a_difference(statement: dict[str, Any]) -> None:
    assert not same(statement)


def test_text_that_is_not_json_stays_as_it_is() -> None:
    assert with_canonical_policies({"PolicyDocument": "{"}) == {"PolicyDocument": "{"}
