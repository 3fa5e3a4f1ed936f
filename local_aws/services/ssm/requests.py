"""Associations and parameters that Systems Manager rejects: targets, schedules, names and values.

Source: https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateAssociation.html and
API_PutParameter.html; badmintoncryer/cdk-preflight has the words, as Systems Manager answered
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from local_aws.guards import guard
from local_aws.knowledge.current import limit
from local_aws.service import Call, ServiceError

TARGET_KEYS = ("InstanceIds", "aws:NoOpAutomationTag", "tag-key")
INSTANCE = re.compile(r"\*|(i|mi)-[0-9a-f]{8,17}")
RATE = re.compile(r"rate\((\d+) (minute|hour|day)(s?)\)")
MINUTES = {"minute": 1, "hour": 60, "day": 1440}
OF_AMAZON = "AWS-"
RESERVED = ("aws", "ssm")
SEGMENT = re.compile(r"[A-Za-z0-9_.-]+")
DATA_TYPES = ("text", "aws:ec2:image", "aws:ssm:integration")


@guard("ssm", "CreateAssociation")
def require_targets(call: Call) -> None:
    if not call.parameters.get("Targets") and "InstanceId" not in call.parameters:
        # Source: inferred: the code; badmintoncryer/cdk-preflight has the words
        raise ServiceError("ValidationException", "Instance ID or targets must be specified")


@guard("ssm", "CreateAssociation", "UpdateAssociation")
def require_association(call: Call) -> None:
    given = call.parameters
    for target in given.get("Targets", []):
        _require_target(target)
    if given.get("DocumentVersion") and given.get("Name", "").startswith(OF_AMAZON):
        words = "Document version can not be used with Amazon document"
        raise ServiceError("InvalidDocumentVersion", words)
    schedule = given.get("ScheduleExpression")
    if schedule is None:
        return
    rate = RATE.fullmatch(schedule)
    if not schedule.startswith(("rate(", "cron(", "at(")):
        raise ServiceError("InvalidSchedule", "Only schedule expressions of type rate, cron, and at are supported.")
    minimum = limit("ssm_association_rate").require_minimum()
    if schedule.startswith("rate(") and (rate is None or not _fits(rate, minimum)):
        examples = "Supported examples are: rate(30 minutes), rate(2 hours) and rate(5 days)."
        raise ServiceError("InvalidSchedule", f"{schedule} is not a valid rate expression. {examples}")


def _fits(rate: re.Match[str], minimum: int) -> bool:
    """Often enough, with the plural where there is one."""
    number, unit, plural = int(rate[1]), rate[2], bool(rate[3])
    return number * MINUTES[unit] >= minimum and plural is (number != 1)


def _require_target(target: Mapping[str, Any]) -> None:
    key, values = target.get("Key", ""), target.get("Values", [])
    if key not in TARGET_KEYS and key.lower() != "resource-groups:name" and not key.startswith("tag:"):
        raise ServiceError(
            "InvalidTarget",
            f"Unsupported target key: {key}, can either be InstanceIds, aws:NoOpAutomationTag, resource-groups:name, "
            "tag-key or start with tag:",
        )
    if not all(values):
        raise ServiceError("InvalidTarget", "Tag or InstanceIds values cannot contain null or empty string.")
    for value in values if key == "InstanceIds" else ():
        if not INSTANCE.fullmatch(value):
            raise ServiceError("InvalidTarget", f"Invalid InstanceId format: {value}")


@guard("ssm", "PutParameter")
def require_parameter(call: Call) -> None:
    """Source: inferred: the code; badmintoncryer/cdk-preflight has the words, as Systems Manager answered."""
    given = call.parameters
    name, value, tier = given["Name"], given["Value"], given.get("Tier", "Standard")
    words = _name_fault(name.removeprefix("/"))
    if words is None and "{{" in value:
        words = 'Parameter value can\'t nest another parameter. Do not use "{{}}" in the value.'
    maximum = limit("ssm_parameter" if tier == "Standard" else "ssm_advanced_parameter").require_maximum()
    if words is None and len(value) > maximum:
        what = "Standard tier" if tier == "Standard" else "Advanced-tier"
        words = f"{what} parameters support a maximum parameter value of {maximum} characters."
    kind = given.get("DataType", "text")
    if words is None and kind not in DATA_TYPES:
        words = f"The following data type is not supported: {kind}. (Data type names are all lowercase.)"
    pattern = given.get("AllowedPattern")
    items = value.split(",") if given.get("Type") == "StringList" else [value]
    if words is None and pattern and not all(re.search(pattern, item) for item in items):
        words = f"Parameter value, cannot be validated against allowedPattern: {pattern}"
    if words is not None:
        raise ServiceError("ValidationException", words)


def _name_fault(name: str) -> str | None:
    if name.lower().startswith(RESERVED):
        return 'Parameter name: can\'t be prefixed with "aws" or "ssm" (case-insensitive).'
    if name.endswith("/"):
        return "Parameter name must not end with slash."
    if not all(SEGMENT.fullmatch(each) for each in name.split("/")):
        return "Parameter name: only a mix of letters, numbers and the following 4 symbols .-_/ are allowed."
    return None
