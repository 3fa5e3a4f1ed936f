"""Wait conditions, and signals by SignalResource and by the URL of a handle."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.server import LocalAws
from local_aws.snapshot.archive import SnapshotError

CONDITION = "AWS::CloudFormation::WaitCondition"
HANDLE = {"Type": "AWS::CloudFormation::WaitConditionHandle"}
POLICY = {"CreationPolicy": {"ResourceSignal": {"Count": 1, "Timeout": "PT1H"}}}


def wait_for(**properties: Any) -> dict[str, Any]:
    return {"Type": CONDITION, "Properties": {"Handle": {"Ref": "Handle"}, "Timeout": "600", **properties}}


@pytest.fixture
def cloudformation(local_aws: LocalAws, client: Callable[[str], Any]) -> Iterator[Any]:
    local_aws.empty()
    yield client("cloudformation")
    local_aws.empty()
    local_aws.clock.reset()


@pytest.fixture
def started(cloudformation: Any) -> Callable[..., str]:
    """Starts a stack, and gives the URL of its handle."""

    def start(**condition: Any) -> str:
        resources = {"Handle": HANDLE, "Condition": wait_for(**condition)}
        outputs = {"Data": {"Value": {"Fn::GetAtt": ["Condition", "Data"]}}}
        cloudformation.create_stack(
            StackName="s", TemplateBody=json.dumps({"Resources": resources, "Outputs": outputs})
        )
        found = cloudformation.describe_stack_resource(StackName="s", LogicalResourceId="Handle")
        return str(found["StackResourceDetail"]["PhysicalResourceId"])

    return start


def put(url: str, body: str) -> int:
    request = urllib.request.Request(url, body.encode(), {"Content-Type": ""}, method="PUT")  # noqa: S310
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def ended(local_aws: LocalAws, cloudformation: Any) -> tuple[dict[str, Any], str]:
    """The stack, and why its condition failed."""
    local_aws.engine.wait()
    events = cloudformation.describe_stack_events(StackName="s")["StackEvents"]
    reasons = [each.get("ResourceStatusReason", "") for each in events if each["ResourceStatus"] == "CREATE_FAILED"]
    return cloudformation.describe_stacks(StackName="s")["Stacks"][0], "".join(reasons)


def test_a_condition_waits_for_the_signals_of_its_handle(local_aws, cloudformation, started):
    url = started(Count=2)
    assert put(url, json.dumps({"Status": "SUCCESS", "UniqueId": "a", "Data": "one", "Reason": "done"})) == 200
    found = cloudformation.describe_stack_resource(StackName="s", LogicalResourceId="Condition")["StackResourceDetail"]
    assert found["ResourceStatus"] == "CREATE_IN_PROGRESS"
    assert found["PhysicalResourceId"] == f"{found['StackId']}/Handle"
    assert put(url, json.dumps({"Status": "SUCCESS", "UniqueId": "b", "Data": "two"})) == 200
    stack, _ = ended(local_aws, cloudformation)
    assert stack["StackStatus"] == "CREATE_COMPLETE"
    assert json.loads(stack["Outputs"][0]["OutputValue"]) == {"a": "one", "b": "two"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('{"Status":"FAILURE","UniqueId":"i-1","Reason":"no disk"}',
         "WaitCondition received failed message: 'no disk' for uniqueId: i-1"),
        ("words", "Unparsable WaitCondition data"),
        ('{"Status":"MAYBE","UniqueId":"i-1"}', "Unparsable WaitCondition data"),
        (None, "WaitCondition timed out. Received 0 conditions when expecting 1"),
    ],
)  # fmt: skip
def test_a_condition_fails(local_aws, cloudformation, started, body, reason):
    url = started()
    if body is None:
        local_aws.clock.advance(timedelta(seconds=600))
    else:
        assert put(url, body) == 200
    stack, found = ended(local_aws, cloudformation)
    assert (stack["StackStatus"], found) == ("ROLLBACK_COMPLETE", reason)
    assert put(url, "{}") == 404


def test_a_nested_stack_may_wait_for_a_handle_of_its_parent(local_aws, cloudformation, client):
    inner = {"Parameters": {"Url": {"Type": "String"}}, "Resources": {"C": wait_for(Handle={"Ref": "Url"})}}
    client("s3").create_bucket(Bucket="inner", CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
    client("s3").put_object(Bucket="inner", Key="t", Body=json.dumps(inner))
    nested = {
        "Type": "AWS::CloudFormation::Stack",
        "Properties": {"TemplateURL": "https://inner.s3.amazonaws.com/t", "Parameters": {"Url": {"Ref": "Handle"}}},
    }
    cloudformation.create_stack(StackName="s", TemplateBody=json.dumps({"Resources": {"Handle": HANDLE, "N": nested}}))
    found = cloudformation.describe_stack_resource(StackName="s", LogicalResourceId="Handle")["StackResourceDetail"]
    assert put(found["PhysicalResourceId"], '{"Status":"SUCCESS","UniqueId":"1"}') == 200
    assert ended(local_aws, cloudformation)[0]["StackStatus"] == "CREATE_COMPLETE"


def test_a_url_needs_its_signature(started):
    url, _, _ = started().partition("?")
    assert put(url, "{}") == 403


def test_a_signal_for_a_resource(local_aws, cloudformation, tmp_path: Path):
    template = json.dumps({"Resources": {"C": {"Type": CONDITION, **POLICY}}})
    cloudformation.create_stack(StackName="s", TemplateBody=template)
    with pytest.raises(SnapshotError, match="while a stack waits for signals"):
        local_aws.snapshot(tmp_path / "aws.zip")
    cloudformation.signal_resource(StackName="s", LogicalResourceId="C", UniqueId="1", Status="SUCCESS")
    assert ended(local_aws, cloudformation)[0]["StackStatus"] == "CREATE_COMPLETE"
    with pytest.raises(ClientError, match="is in CREATE_COMPLETE state and cannot be signaled"):
        cloudformation.signal_resource(StackName="s", LogicalResourceId="C", UniqueId="2", Status="SUCCESS")


def test_signals_of_a_handle_survive_a_snapshot(local_aws, cloudformation, tmp_path: Path):
    handle = json.dumps({"Resources": {"Handle": HANDLE}})
    cloudformation.create_stack(StackName="s", TemplateBody=handle)
    found = cloudformation.describe_stack_resource(StackName="s", LogicalResourceId="Handle")["StackResourceDetail"]
    assert put(found["PhysicalResourceId"], '{"Status":"SUCCESS","UniqueId":"1"}') == 200
    local_aws.snapshot(tmp_path / "aws.zip")
    local_aws.empty()
    local_aws.restore(tmp_path / "aws.zip")
    both = json.dumps({"Resources": {"Handle": HANDLE, "C": wait_for()}})
    cloudformation.update_stack(StackName="s", TemplateBody=both)
    assert ended(local_aws, cloudformation)[0]["StackStatus"] == "UPDATE_COMPLETE"
    later = json.dumps({"Resources": {"Handle": HANDLE, "C": wait_for(Timeout="700")}})
    cloudformation.update_stack(StackName="s", TemplateBody=later)
    assert ended(local_aws, cloudformation)[0]["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({}, "Handle and Timeout are required"),
        ({"Handle": "https://s3.amazonaws.com/x", "Timeout": "1"}, "is not the URL of a WaitConditionHandle"),
    ],
)
def test_a_condition_without_a_handle(local_aws, cloudformation, properties, text):
    template = json.dumps({"Resources": {"C": {"Type": CONDITION, "Properties": properties}}})
    cloudformation.create_stack(StackName="s", TemplateBody=template)
    stack, reason = ended(local_aws, cloudformation)
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    assert text in reason
