"""EventBridge Scheduler: valid expressions, and what is due when the clock of the local AWS is put forward."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Struct

from local_aws.api_errors import api_error
from local_aws.clients import local_client
from local_aws.clock import CLOCK
from local_aws.contract import Call, Store
from local_aws.handlers.shapes import call as call_service
from local_aws.moto_state import backends_in_use
from local_aws.registry import guard
from local_aws.services.scheduler.expressions import due_times

LAMBDA = re.compile(r"arn:[\w-]+:lambda:")
UNIVERSAL = re.compile(r"arn:[\w-]+:scheduler:::aws-sdk:([\w-]+):(\w+)")
MOST = 100
"""Invocations of one schedule for one move of the clock; the later ones are left out."""
TABLE = "scheduler.invocations"


class Invocation(Struct, frozen=True):
    """An invocation by a schedule."""

    schedule: str
    """Its ARN."""
    due_at: datetime
    target: str
    outcome: str
    """``invoked``, ``failed`` or ``not emulated``."""
    reason: str = ""


def invocations(store: Store, account: str, region: str) -> list[Invocation]:
    """All of an account and Region, oldest first."""
    return list(store.table(account, region, TABLE).values())


@guard("scheduler", "CreateSchedule", "UpdateSchedule")
def require_expression(call: Call) -> None:
    expression = call.parameters["ScheduleExpression"]
    try:
        zone = _zone(call.parameters.get("ScheduleExpressionTimezone"))
    except (KeyError, ValueError, OSError) as error:
        raise api_error("scheduler.time_zone", zone=call.parameters["ScheduleExpressionTimezone"]) from error
    try:
        due_times(expression, zone, CLOCK.now(), CLOCK.now(), CLOCK.now())
    except ValueError as error:
        raise api_error("scheduler.expression", expression=expression) from error


def fire_due(store: Store, endpoint: str, after: datetime, until: datetime) -> None:
    """Calls the targets of all schedules that were due in between, in the order of their times."""
    due = [
        (moment, backend, group, schedule)
        for backend, group, schedule in _schedules()
        for moment in _due(schedule, after, until)
    ]
    for moment, backend, group, schedule in sorted(due, key=lambda each: each[0]):
        if group.schedules.get(schedule.name) is not schedule:
            continue
        outcome, reason = _invoke(endpoint, backend, schedule)
        rows = store.table(backend.account_id, backend.region_name, TABLE)
        rows[str(len(rows))] = Invocation(schedule.arn, moment, schedule.target["Arn"], outcome, reason)
        if schedule.action_after_completion == "DELETE" and schedule.schedule_expression.startswith("at("):
            group.delete_schedule(schedule.name)


def _schedules() -> Iterator[tuple[Any, Any, Any]]:
    for service in backends_in_use():
        if service.service_name == "scheduler":
            backends = [backend for regions in list(service.values()) for backend in list(regions.values())]
            for backend in backends:
                for group in list(backend.schedule_groups.values()):
                    yield from ((backend, group, schedule) for schedule in list(group.schedules.values()))


def _due(schedule: Any, after: datetime, until: datetime) -> Iterator[datetime]:
    if schedule.state != "ENABLED":
        return iter(())
    created = datetime.fromtimestamp(schedule.creation_date, UTC)
    if schedule.start_date is not None:
        created = datetime.fromtimestamp(float(schedule.start_date), UTC)
        after = max(after, created)
    if schedule.end_date is not None:
        until = min(until, datetime.fromtimestamp(float(schedule.end_date), UTC))
    zone = _zone(schedule.schedule_expression_timezone)
    return itertools.islice(due_times(schedule.schedule_expression, zone, created, after, until), MOST)


def _zone(name: str | None) -> tzinfo:
    """Raises KeyError, ValueError or OSError for one that does not exist."""
    return ZoneInfo(name) if name and name != "UTC" else UTC


def _invoke(endpoint: str, backend: Any, schedule: Any) -> tuple[str, str]:
    """The outcome and its reason. The call is one of the schedule's role."""
    target, region = schedule.target, backend.region_name
    arn, given = target["Arn"], target.get("Input") or "{}"
    universal = UNIVERSAL.fullmatch(arn)
    if universal is None and LAMBDA.match(arn) is None:
        return "not emulated", "this local AWS calls functions and universal targets"
    try:
        key = _key_of_role(endpoint, backend, target["RoleArn"])
        if universal is None:
            client = local_client("lambda", endpoint, key, region)
            client.invoke(FunctionName=arn, InvocationType="Event", Payload=given.encode())
        else:
            service, action = universal.groups()
            client = local_client(service, endpoint, key, region)
            call_service(client, f"{action[0].upper()}{action[1:]}", json.loads(given))
    except (ClientError, BotoCoreError, ValueError, AttributeError) as error:
        return "failed", str(error)
    return "invoked", ""


def _key_of_role(endpoint: str, backend: Any, role_arn: str) -> str:
    """An access key of the role. Raises ClientError when there is no such role."""
    account, region = backend.account_id, backend.region_name
    local_client("iam", endpoint, account, region).get_role(RoleName=role_arn.rpartition("/")[2])
    sts = local_client("sts", endpoint, account, region)
    found = sts.assume_role(RoleArn=role_arn, RoleSessionName="scheduler")["Credentials"]
    return str(found["AccessKeyId"])
