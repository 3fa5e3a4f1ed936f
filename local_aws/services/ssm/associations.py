"""State Manager associations: kept and told, with their tags; nothing runs on a machine."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any

from moto.ssm.models import SimpleSystemManagerBackend

from local_aws.api_errors import api_error
from local_aws.contract import Call, call_of
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.overrides import override
from local_aws.services.table import made_by
from local_aws.services.table_rows import TAGS

RESOURCE_TYPE = "Association"
"""The resource type of their tags, which moto has."""


@made_by("AWS::SSM::Association")
def tagged_association(call: Call, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """moto would tag what exists alone."""
    association_id = str(uuid.uuid4())
    call.moto_backend("ssm")._resource_tags[RESOURCE_TYPE][association_id].update(row[TAGS])  # noqa: SLF001 - moto's own table
    return {"AssociationId": association_id}


@override(SimpleSystemManagerBackend, "_validate_resource_type_and_id")
def tagged_id(original: Any, backend: Any, resource_type: str, resource_id: str) -> str:
    """moto has no associations to tag."""
    if resource_type == RESOURCE_TYPE and resource_id in call_of(backend, "ssm", "AddTagsToResource").table(
        RESOURCE_TYPE
    ):
        return resource_id
    found: str = original(resource_type, resource_id)
    return found


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
