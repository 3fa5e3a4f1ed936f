"""Schedules call their targets when the clock of the local AWS is put forward."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_aws.custom_resources.functions import Functions
from local_aws.server import LocalAws
from local_aws.services.scheduler.schedules import Invocation, invocations

START = datetime(2027, 1, 1, tzinfo=UTC)
ACCOUNT, REGION = "300000000000", "us-west-2"
SEND = "arn:aws:scheduler:::aws-sdk:sqs:sendMessage"
SERVICES = ["scheduler.amazonaws.com", "lambda.amazonaws.com"]
ASSUMED = {"Effect": "Allow", "Principal": {"Service": SERVICES}, "Action": "sts:AssumeRole"}
TRUST = {"Version": "2012-10-17", "Statement": [ASSUMED]}


@pytest.fixture
def queue(local_aws: LocalAws, client: Callable[[str], Any]) -> Iterator[str]:
    """A queue, and a role for schedules; the clock stands at the start of 2027."""
    local_aws.empty()
    local_aws.clock.set(START)
    client("iam").create_role(RoleName="schedules", AssumeRolePolicyDocument=json.dumps(TRUST))
    yield str(client("sqs").create_queue(QueueName="q")["QueueUrl"])
    local_aws.clock.reset()


@pytest.fixture
def schedule(client: Callable[[str], Any], queue: str) -> Callable[..., None]:
    """Makes a schedule that sends its name to the queue."""

    def make(name: str, expression: str, arn: str = SEND, role: str = "schedules", **given: Any) -> None:
        message = json.dumps({"QueueUrl": queue, "MessageBody": name})
        target = {"Arn": arn, "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/{role}", "Input": message}
        request = {"Name": name, "ScheduleExpression": expression, "FlexibleTimeWindow": {"Mode": "OFF"}}
        client("scheduler").create_schedule(**{**request, "Target": target, **given})

    return make


def received(client: Callable[[str], Any], queue: str) -> list[str]:
    messages = client("sqs").receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages", [])
    return [each["Body"] for each in messages]


def outcomes(local_aws: LocalAws) -> list[Invocation]:
    return invocations(local_aws.store, ACCOUNT, REGION)


def test_what_is_due_is_called_in_the_order_of_its_times(local_aws, client, queue, schedule):
    schedule("daily", "cron(0 9 * * ? *)")
    schedule("once", "at(2027-01-01T20:00:00)", ScheduleExpressionTimezone="Europe/Zurich")
    schedule("later", "at(2027-01-09T00:00:00)")
    schedule("off", "cron(0 9 * * ? *)", State="DISABLED")
    schedule("ended", "cron(0 9 * * ? *)", EndDate=START + timedelta(hours=1))
    local_aws.clock.advance(timedelta(hours=8))
    assert outcomes(local_aws) == []
    local_aws.clock.advance(timedelta(hours=30))
    done = [(each.schedule.rpartition("/")[2], f"{each.due_at:%dT%H:%M}", each.outcome) for each in outcomes(local_aws)]
    assert done == [("daily", "01T09:00", "invoked"), ("once", "01T19:00", "invoked"), ("daily", "02T09:00", "invoked")]
    assert sorted(received(client, queue)) == ["daily", "daily", "once"]


def test_a_schedule_is_deleted_after_its_completion(local_aws, client, schedule):
    schedule("once", "at(2027-01-01T20:00:00)", ActionAfterCompletion="DELETE")
    schedule("stays", "at(2027-01-01T20:00:00)")
    local_aws.clock.advance(timedelta(days=1))
    assert [each["Name"] for each in client("scheduler").list_schedules()["Schedules"]] == ["stays"]


def test_a_schedule_calls_at_most_so_often_for_one_move_of_the_clock(local_aws, schedule):
    schedule("often", "cron(* * * * ? *)", arn="arn:aws:ecs:us-west-2:300000000000:cluster/c")
    local_aws.clock.advance(timedelta(days=1))
    assert len(outcomes(local_aws)) == 100


def test_a_function_is_invoked(local_aws, client, schedule):
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("index.py", "def handler(event, context):\n    print('got ' + event['MessageBody'])\n")
    arn = client("lambda").create_function(
        FunctionName="f",
        Runtime="python3.12",
        Role=f"arn:aws:iam::{ACCOUNT}:role/schedules",
        Handler="index.handler",
        Code={"ZipFile": code.getvalue()},
    )["FunctionArn"]
    schedule("call", "at(2027-01-01T20:00:00)", arn=arn)
    local_aws.clock.advance(timedelta(days=1))
    local_aws.store.shared(Functions).wait()
    events = client("logs").filter_log_events(logGroupName="/aws/lambda/f")["events"]
    assert "got call" in [each["message"] for each in events]


@pytest.mark.parametrize(
    ("given", "outcome", "reason"),
    [
        ({"arn": "arn:aws:sqs:us-west-2:300000000000:q"}, "not emulated", "calls functions and universal targets"),
        ({"arn": "arn:aws:scheduler:::aws-sdk:sqs:purgeAll"}, "failed", "purge_all"),
        ({"arn": "arn:aws:scheduler:::aws-sdk:nothing:purge"}, "failed", "Unknown service: 'nothing'"),
        ({"arn": "arn:aws:scheduler:::aws-sdk:sqs:deleteQueue"}, "failed", "MessageBody"),
    ],
)
def test_targets_that_are_not_called(local_aws, schedule, given, outcome, reason):
    schedule("once", "at(2027-01-01T20:00:00)", **given)
    local_aws.clock.advance(timedelta(days=1))
    (found,) = outcomes(local_aws)
    assert (found.outcome, reason in found.reason) == (outcome, True), found.reason


def test_a_schedule_whose_role_is_gone_fails(local_aws, client, schedule):
    schedule("once", "at(2027-01-01T20:00:00)")
    client("iam").delete_role(RoleName="schedules")
    local_aws.clock.advance(timedelta(days=1))
    (found,) = outcomes(local_aws)
    assert (found.outcome, "schedules" in found.reason) == ("failed", True), found.reason


def test_schedules_and_invocations_survive_a_snapshot(local_aws, client, queue, schedule, tmp_path: Path):
    schedule("daily", "cron(0 9 * * ? *)", arn="arn:aws:ecs:us-west-2:300000000000:cluster/c")
    client("sqs").delete_queue(QueueUrl=queue)
    local_aws.clock.advance(timedelta(hours=30))
    before = outcomes(local_aws)
    local_aws.snapshot(tmp_path / "aws.zip")
    local_aws.empty()
    local_aws.restore(tmp_path / "aws.zip")
    assert outcomes(local_aws) == before
    assert before
    local_aws.clock.advance(timedelta(days=1))
    assert len(outcomes(local_aws)) == len(before) + 1


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"expression": "cron(0 9 * * *)"}, r"Invalid Schedule Expression cron\(0 9 \* \* \*\)\."),
        ({"expression": "rate(1 day)", "ScheduleExpressionTimezone": "Mars/Olympus"}, "Timezone Mars/Olympus"),
        ({"expression": "rate(1 day)", "ScheduleExpressionTimezone": "../x"}, r"Timezone \.\./x"),
    ],
)
def test_schedules_that_are_rejected(schedule, given, text):
    with pytest.raises(ClientError, match=text):
        schedule("bad", **given)
