"""CloudTrail has the calls by which users changed something, by the name of their operation."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.clients import local_client
from local_aws.server import LocalAws

ACCOUNT, REGION = "111122223333", "us-west-2"


@pytest.fixture
def client(local_aws: LocalAws) -> Callable[..., Any]:
    """A client of a user, whose calls come through the network."""
    from neuron_cluster.aws.session import LocalTarget
    from neuron_cluster.aws.session import client as user_client

    return lambda service, region=REGION: user_client(LocalTarget(region, ACCOUNT, local_aws.endpoint), service)


def events(client: Callable[..., Any], name: str, region: str = REGION) -> list[dict[str, Any]]:
    attribute = {"AttributeKey": "EventName", "AttributeValue": name}
    rows = client("cloudtrail", region).lookup_events(LookupAttributes=[attribute])["Events"]
    return [json.loads(row["CloudTrailEvent"]) for row in rows]


def test_a_change_is_an_event_with_caller_and_request(client: Callable[..., Any]) -> None:
    client("logs").create_log_group(logGroupName="/trail")
    client("logs").put_retention_policy(logGroupName="/trail", retentionInDays=7)
    (event,) = events(client, "PutRetentionPolicy")
    assert event["requestParameters"] == {"logGroupName": "/trail", "retentionInDays": 7}
    assert event["userIdentity"]["arn"] == f"arn:aws:iam::{ACCOUNT}:root"


def test_calls_that_read_and_calls_that_fail_are_no_events(client: Callable[..., Any]) -> None:
    client("ec2").describe_vpcs()
    with pytest.raises(ClientError):
        client("logs").delete_log_group(logGroupName="/none")
    assert events(client, "DescribeVpcs") + events(client, "DeleteLogGroup") == []


def test_calls_of_stacks_are_no_events(client: Callable[..., Any], local_aws: LocalAws) -> None:
    template = {"Resources": {"Vpc": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": "10.0.0.0/16"}}}}
    client("cloudformation").create_stack(StackName="trail", TemplateBody=json.dumps(template))
    local_aws.engine.wait()
    assert (len(events(client, "CreateStack")), events(client, "CreateVpc")) == (1, [])


def test_events_of_iam_are_in_the_region_of_global_services(client: Callable[..., Any]) -> None:
    trust = {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    client("iam").create_role(RoleName="trail", AssumeRolePolicyDocument=document)
    assert events(client, "CreateRole") == []
    assert [event["requestParameters"]["RoleName"] for event in events(client, "CreateRole", "us-east-1")] == ["trail"]


def test_a_look_up_without_a_name_has_no_events(client: Callable[..., Any], local_aws: LocalAws) -> None:
    """The CDK command makes one after each failed deploy."""
    client("logs").create_log_group(logGroupName="/other")
    assert local_client("cloudtrail", local_aws.endpoint, ACCOUNT, REGION).lookup_events()["Events"] == []
