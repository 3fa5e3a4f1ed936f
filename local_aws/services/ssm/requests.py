"""Rates of associations and values of parameters that Systems Manager rejects."""

from __future__ import annotations

import re

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit
from local_aws.service import Call, guard

RATE = re.compile(r"rate\((\d+) (minute|hour|day)(s?)\)")
MINUTES = {"minute": 1, "hour": 60, "day": 1440}


@guard("ssm", "CreateAssociation", "UpdateAssociation")
def require_rate(call: Call) -> None:
    schedule = call.parameters.get("ScheduleExpression", "")
    if schedule.startswith("rate(") and not _is_valid(RATE.fullmatch(schedule)):
        raise api_error("ssm.schedule_rate", schedule=schedule)


def _is_valid(rate: re.Match[str] | None) -> bool:
    """Often enough, with the plural where there is one."""
    if rate is None:
        return False
    number, unit, plural = int(rate[1]), rate[2], bool(rate[3])
    return number * MINUTES[unit] >= limit("ssm_association_rate").require_minimum() and plural is (number != 1)


@guard("ssm", "PutParameter")
def require_allowed_value(call: Call) -> None:
    value, pattern = call.parameters["Value"], call.parameters.get("AllowedPattern")
    items = value.split(",") if call.parameters.get("Type") == "StringList" else [value]
    if pattern and not all(re.search(pattern, item) for item in items):
        raise api_error("ssm.parameter_pattern", pattern=pattern)
