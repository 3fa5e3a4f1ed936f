"""Requests that EventBridge, its Scheduler and SNS reject, and accepted ones at the same limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
Clients = Callable[[str], Any]
ACCOUNT = "300000000000"
TOPIC = f"arn:aws:sns:us-west-2:{ACCOUNT}:alarms"
QUEUE = f"arn:aws:sqs:us-west-2:{ACCOUNT}:q"
PURGE = "arn:aws:scheduler:::aws-sdk:sqs:purgeQueue"


@pytest.fixture
def role(client: Clients) -> Callable[[str], str]:
    """ARN of a new role that a service may assume."""

    def make(service: str) -> str:
        trust = {"Effect": "Allow", "Principal": {"Service": f"{service}.amazonaws.com"}, "Action": "sts:AssumeRole"}
        document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
        name = f"of-{service}"
        if name not in [each["RoleName"] for each in client("iam").list_roles()["Roles"]]:
            client("iam").create_role(RoleName=name, AssumeRolePolicyDocument=document)
        return f"arn:aws:iam::{ACCOUNT}:role/{name}"

    return make


@pytest.mark.parametrize(
    "expression",
    [
        "rate(1 minutes)",
        "rate(2 minute)",
        "rate(0 minutes)",
        "cron(0 10 * * ?)",
        "cron(0 10 1 * 2 *)",
        "cron(0 10 ? * ? *)",
        "every hour",
    ],
)
def test_a_schedule_of_a_rule_is_rejected(client: Clients, refused: Refused, expression: str) -> None:
    answer = refused(client("events").put_rule, Name="own", ScheduleExpression=expression)
    assert answer == ("ValidationException", "Parameter ScheduleExpression is not valid.")


@pytest.mark.parametrize(
    "expression", ["rate(1 day)", "rate(90 minutes)", "cron(0 10 ? * MON-FRI *)", "cron(0/5 8 1 * ? *)"]
)
def test_a_schedule_of_a_rule_is_taken(client: Clients, expression: str) -> None:
    client("events").put_rule(Name="own", ScheduleExpression=expression)
    assert client("events").describe_rule(Name="own")["ScheduleExpression"] == expression


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ([{}, {"Arn": QUEUE}], "More than one target with Id 't' is provided"),
        ([{"Input": "1", "InputPath": "$.detail"}], "Only one of Input, InputPath, or InputTransformer"),
        ([{"Input": "{a"}], "JSON syntax error in input for target t"),
        (
            [{"BatchParameters": {"JobDefinition": "a", "JobName": "b"}}],
            "Parameter(s) BatchParameters not supported for",
        ),
        ([{"KinesisParameters": {"PartitionKeyPath": "$.id"}}], "Parameter(s) KinesisParameters not supported for"),
        (
            [{"Arn": f"arn:aws:states:us-west-2:{ACCOUNT}:stateMachine:m"}],
            "RoleArn is required for target arn:aws:states",
        ),
        ([{"Arn": TOPIC.replace("us-west-2", "us-east-1")}], "Cross-region api call is not allowed."),
    ],
)
def test_targets_are_rejected(client: Clients, refused: Refused, members: list[dict[str, Any]], text: str) -> None:
    client("events").put_rule(Name="own", ScheduleExpression="rate(1 day)")
    targets = [{"Id": "t", "Arn": TOPIC, **each} for each in members]
    code, message = refused(client("events").put_targets, Rule="own", Targets=targets)
    assert (code, text in message) == ("ValidationException", True)
    client("events").put_targets(Rule="own", Targets=[{"Id": "t", "Arn": TOPIC, "Input": "null"}])


@pytest.mark.parametrize(
    ("match", "text"),
    [
        ([{"prefixes": "aws"}], "Unrecognized match type"),
        (["aws.s3", {"prefixes": "aws"}], "Unrecognized match type"),
        ([{"prefix": ["aws."]}], "prefix match pattern must be a string"),
        (["aws.s3", {"suffix": ["s3"]}], "suffix match pattern must be a string"),
        ([{"equals-ignore-case": 1}], "equals-ignore-case match pattern must be a string"),
        ([{"wildcard": ["*"]}], "wildcard match pattern must be a string"),
    ],
)
def test_an_operator_of_a_pattern_is_rejected(client: Clients, refused: Refused, match: list[Any], text: str) -> None:
    pattern = json.dumps({"detail": {"name": match}})
    code, message = refused(client("events").put_rule, Name="own", EventPattern=pattern)
    assert (code, message) == ("InvalidEventPatternException", f"Event pattern is not valid. Reason: {text}")


@pytest.mark.parametrize(
    "pattern",
    [
        {"source": ["a", {"prefix": "aws."}, {"suffix": {"equals-ignore-case": "S3"}}, {"wildcard": "a*"}]},
        {"detail": {"n": [{"numeric": [">", 0]}, {"exists": False}], "ip": [{"cidr": "10.0.0.0/8"}]}},
        {"source": [{"anything-but": {"prefix": ["a", "b"]}}, {"equals-ignore-case": "a"}]},
        {"detail": {"prefix": ["a"], "prefixes": ["b"]}},
        {"$or": [{"source": ["aws.s3"]}, {"account": [ACCOUNT]}]},
    ],
)
def test_operators_of_a_pattern_are_taken(client: Clients, pattern: dict[str, Any]) -> None:
    client("events").put_rule(Name="own", EventPattern=json.dumps(pattern))
    assert json.loads(client("events").describe_rule(Name="own")["EventPattern"]) == pattern


SCHEDULE = {"Name": "own", "ScheduleExpression": "rate(1 hour)", "FlexibleTimeWindow": {"Mode": "OFF"}}


@pytest.mark.parametrize(
    ("members", "target", "text"),
    [
        ({"FlexibleTimeWindow": {"Mode": "FLEXIBLE"}}, {}, "must be provided when FlexibleTimeWindowMode"),
        (
            {"FlexibleTimeWindow": {"Mode": "OFF", "MaximumWindowInMinutes": 5}},
            {},
            "must not be provided when Flexible",
        ),
        ({}, {"Input": "{a"}, "JSON syntax error in input"),
        ({}, {"Arn": "own"}, "Provided Arn is not in correct format."),
        ({}, {"Arn": QUEUE.replace("us-west-2", "eu-west-1")}, "does not match the current region us-west-2"),
        ({}, {"Arn": "arn:aws:other:::aws-sdk:sqs:purgeQueue"}, "scheduler is not a supported service for a target"),
        ({}, {"Arn": "arn:aws:scheduler:::aws-sdk:sqs:getQueueUrl"}, "getQueueUrl API is not supported"),
        ({}, {"Arn": PURGE, "Input": ""}, "You must provide an input to set this target"),
        (
            {},
            {"RoleArn": f"arn:aws:iam::{ACCOUNT}:role/none"},
            "must allow AWS EventBridge Scheduler to assume the role.",
        ),
    ],
)
def test_a_schedule_is_rejected(
    client: Clients, refused: Refused, role: Callable[[str], str], members: Any, target: dict[str, str], text: str
) -> None:
    given = {"Arn": QUEUE, "RoleArn": role("scheduler"), "Input": "{}", **target}
    given = {name: value for name, value in given.items() if value}
    code, message = refused(client("scheduler").create_schedule, **{**SCHEDULE, **members, "Target": given})
    assert (code, text in message) == ("ValidationException", True)


def test_a_schedule_has_a_role_that_the_scheduler_can_assume(
    client: Clients, refused: Refused, role: Callable[[str], str]
) -> None:
    scheduler, other = client("scheduler"), {"Arn": PURGE, "RoleArn": role("events"), "Input": "{}"}
    assert "assume the role" in refused(scheduler.create_schedule, **SCHEDULE, Target=other)[1]
    window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 1440}
    own = {**other, "RoleArn": role("scheduler")}
    scheduler.create_schedule(**{**SCHEDULE, "FlexibleTimeWindow": window}, Target=own)
    assert "assume the role" in refused(scheduler.update_schedule, **SCHEDULE, Target=other)[1]
    scheduler.delete_schedule(Name="own")


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"Protocol": "fax"}, "does not support this protocol string: fax"),
        ({"Endpoint": "nobody"}, "Invalid parameter: Email address"),
        ({"Protocol": "sqs"}, "Invalid parameter: SQS endpoint ARN"),
        ({"Protocol": "lambda", "Endpoint": QUEUE}, "Invalid parameter: Lambda endpoint ARN"),
        ({"Attributes": {"RawMessageDelivery": "true"}}, "protocol [email] does not support raw message delivery."),
        ({"Attributes": {"FilterPolicyScope": "Body"}}, "FilterPolicyScope: Invalid value [Body]"),
    ],
)
def test_a_subscription_is_rejected(client: Clients, refused: Refused, members: dict[str, Any], text: str) -> None:
    sns = client("sns")
    given = {"TopicArn": sns.create_topic(Name="alarms")["TopicArn"], "Protocol": "email", "Endpoint": "a@example.com"}
    code, message = refused(sns.subscribe, **{**given, **members})
    assert (code, text in message) == ("InvalidParameter", True)


def test_subscriptions_and_names_are_taken(client: Clients, refused: Refused) -> None:
    sns, sqs = client("sns"), client("sqs")
    topic = sns.create_topic(Name="alarms", Attributes={"DisplayName": "d" * 100})["TopicArn"]
    assert refused(sns.create_topic, Name="other", Attributes={"DisplayName": "d" * 101})[0] == "InvalidParameter"
    change = {"TopicArn": topic, "AttributeName": "DisplayName"}
    assert refused(sns.set_topic_attributes, **change, AttributeValue="d" * 101)[0] == "InvalidParameter"
    sns.set_topic_attributes(**change, AttributeValue="d" * 99)
    sqs.create_queue(QueueName="q")
    attributes = {"RawMessageDelivery": "true", "FilterPolicyScope": "MessageBody"}
    sns.subscribe(TopicArn=topic, Protocol="email", Endpoint="a@example.com")
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=QUEUE, Attributes=attributes)
    assert len(sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]) == 2


def test_only_fifo_topics_leave_out_duplicates(client: Clients, refused: Refused) -> None:
    sns = client("sns")
    code, message = refused(sns.create_topic, Name="plain", Attributes={"ContentBasedDeduplication": "true"})
    assert (code, "only be set for FIFO topics" in message) == ("InvalidParameter", True)
    topic = sns.create_topic(Name="own.fifo", Attributes={"FifoTopic": "true", "ContentBasedDeduplication": "true"})
    assert sns.get_topic_attributes(TopicArn=topic["TopicArn"])["Attributes"]["ContentBasedDeduplication"] == "true"
