"""CloudFormation's spelling and loose scalars become what the API's model says, and back."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ParamValidationError

from local_aws.clients import local_client
from local_aws.resource_types.shapes import from_api, to_api


def client(service: str) -> Any:
    return local_client(service, "http://127.0.0.1:1", "123456789012", "us-west-2")


@pytest.mark.parametrize(
    ("service", "operation", "given", "expected"),
    [
        ("logs", "CreateLogGroup", {"LogGroupName": "a"}, {"logGroupName": "a"}),
        ("logs", "PutRetentionPolicy", {"RetentionInDays": "30"}, {"retentionInDays": 30}),
        ("logs", "CreateLogGroup", {"Tags": [{"Key": "team", "Value": "x"}]}, {"tags": {"team": "x"}}),
        ("ec2", "CreateSubnet", {"DryRun": "true"}, {"DryRun": True}),
        ("ec2", "CreateSubnet", {"VpcId": 12}, {"VpcId": "12"}),
        ("ssm", "PutParameter", {"Value": True}, {"Value": "true"}),
        ("eks", "CreateNodegroup", {"Labels": {"Kept/As-It-Is": 1}}, {"labels": {"Kept/As-It-Is": "1"}}),
        ("eks", "CreateNodegroup", {"ScalingConfig": {"MinSize": "0"}}, {"scalingConfig": {"minSize": 0}}),
        (
            "ec2",
            "CreateSubnet",
            {"VpcIdd": "kept, so that botocore refuses it"},
            {"VpcIdd": "kept, so that botocore refuses it"},
        ),
        ("logs", "PutRetentionPolicy", {"RetentionInDays": "a month"}, {"retentionInDays": "a month"}),
    ],
)
def test_properties_become_parameters(service: str, operation: str, given: Any, expected: Any) -> None:
    """Names, numbers, booleans, texts, maps and tag lists follow the model; what is unknown stays."""
    assert to_api(client(service), operation, given) == expected


def test_what_is_no_number_is_refused_by_the_model() -> None:
    """A text that stays a text is an error, not a zero."""
    parameters = to_api(client("logs"), "PutRetentionPolicy", {"LogGroupName": "a", "RetentionInDays": "a month"})
    with pytest.raises(ParamValidationError, match="retentionInDays"):
        client("logs").put_retention_policy(**parameters)


def test_an_answer_becomes_properties() -> None:
    """Members are spelt as CloudFormation does; keys of the user's maps are not."""
    answer = {"nodegroup": {"nodegroupName": "n", "labels": {"lower/case": "x"}}, "ResponseMetadata": {}}
    assert from_api(client("eks"), "DescribeNodegroup", answer) == {
        "Nodegroup": {"NodegroupName": "n", "Labels": {"lower/case": "x"}}
    }
