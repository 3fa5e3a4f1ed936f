"""Values that the registry schema of a type excludes are rejected before a service is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from local_aws.engine.status_reasons import ResourceFailedError
from local_aws.handlers.property_constraints import constraint_violations

TAG = {"Key": "team", "Value": "a"}
DOCUMENT = {"Name": "AWS-RunShellScript", "Targets": [{"Key": "tag:a", "Values": ["b"]}] * 6}
FUNCTION = {"Code": {}, "Role": "arn:aws:iam::111122223333:role/own", "Architectures": []}
ENUM, PATTERN = (f"failed validation constraint for keyword [{name}]" for name in ("enum", "pattern"))


@pytest.mark.parametrize(
    ("type_name", "properties", "violations"),
    [
        ("AWS::KMS::Key", {"PendingWindowInDays": 30, "EnableKeyRotation": "true"}, []),
        ("AWS::KMS::Key", {"PendingWindowInDays": "31"}, ["/PendingWindowInDays: 31 is not less or equal to 30"]),
        ("AWS::KMS::Key", {"PendingWindowInDays": 6}, ["/PendingWindowInDays: 6 is not greater or equal to 7"]),
        ("AWS::KMS::Key", {"KeyPolicy": {}, "Description": "d" * 8192}, []),
        ("AWS::KMS::Key", {"Description": "d" * 8193}, ["/Description: expected maxLength: 8192, actual: 8193"]),
        ("AWS::KMS::Key", {"KeySpec": "AES_256"}, [f"/KeySpec: {ENUM}"]),
        ("AWS::KMS::Key", {"Tags": [TAG, {**TAG}]}, ["/Tags: array items are not unique"]),
        ("AWS::KMS::Key", {"Tags": [{**TAG, "Key": ""}]}, ["/Tags/0/Key: expected minLength: 1, actual: 0"]),
        ("AWS::KMS::Key", {"Tags": [{"Key": "a"}]}, ["/Tags/0: required key [Value] not found"]),
        ("AWS::KMS::Key", {"Tags": [{**TAG, "Keys": ""}]}, ["/Tags/0: extraneous key [Keys] is not permitted"]),
        ("AWS::Logs::LogGroup", {"RetentionInDays": "7", "LogGroupName": "/aws/own"}, []),
        ("AWS::Logs::LogGroup", {"RetentionInDays": 2}, [f"/RetentionInDays: {ENUM}"]),
        ("AWS::Logs::LogGroup", {"LogGroupName": "a b"}, [f"/LogGroupName: {PATTERN}"]),
        ("AWS::SSM::Association", DOCUMENT, ["/Targets: expected maximum item count: 5, found: 6"]),
        ("AWS::Lambda::Function", FUNCTION, ["/Architectures: expected minimum item count: 1, found: 0"]),
        ("AWS::IAM::Role", {"AssumeRolePolicyDocument": {}, "Tags": [{"Key": "\u00e9", "Value": ""}]}, []),
        ("AWS::Lambda::Function", {**FUNCTION, "Architectures": None, "Environment": {"Variables": {"A": "b"}}}, []),
        ("Custom::Own", {"Any": "thing"}, []),
    ],
)
def test_violations_have_place_and_message(
    type_name: str, properties: Mapping[str, Any], violations: list[str]
) -> None:
    assert constraint_violations(type_name, properties) == [f"#{each}" for each in violations]


def test_a_resource_is_neither_created_nor_changed_with_such_a_value(bench: Any) -> None:
    """Source: aws-cloudformation/cloudformation-resource-schema#114."""
    text = (
        "Properties validation failed for resource Thing with message:\n"
        "#/RetentionInDays: failed validation constraint for keyword [enum]"
    )
    with pytest.raises(ResourceFailedError) as failure:
        bench.create("AWS::Logs::LogGroup", {"LogGroupName": "own", "RetentionInDays": 2})
    assert str(failure.value) == text
    assert bench.client("logs").describe_log_groups()["logGroups"] == []

    properties = {"LogGroupName": "own", "RetentionInDays": 7}
    made = bench.create("AWS::Logs::LogGroup", properties)
    with pytest.raises(ResourceFailedError) as failure:
        bench.update("AWS::Logs::LogGroup", made, properties, {**properties, "RetentionInDays": 2})
    assert str(failure.value) == text
    assert bench.read("AWS::Logs::LogGroup", made)["RetentionInDays"] == 7
