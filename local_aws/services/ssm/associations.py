"""State Manager associations: kept and told, with their tags; nothing runs on a machine."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from moto.ssm.models import SimpleSystemManagerBackend

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit
from local_aws.service import Call, guard, operation
from local_aws.services.overrides import override

OF_AMAZON = "AWS-"
"""How the names of documents begin that are there in every account."""
RESOURCE_TYPE = "Association"
"""The resource type of their tags."""
ONLY_AT_CREATION = ("Tags", "InstanceId")


@operation("ssm", "CreateAssociation")
def create_association(call: Call) -> Mapping[str, Any]:
    given = dict(call.parameters)
    _require_document(call, given["Name"])
    association_id, now = str(uuid.uuid4()), datetime.now(UTC)
    own = {"AssociationId": association_id, "AssociationVersion": "1", "Date": now, "LastUpdateAssociationDate": now}
    tags = {tag["Key"]: tag["Value"] for tag in given.pop("Tags", [])}
    rows(call.moto_backend("ssm"))[association_id] = {**given, **own}
    if tags:
        call.moto_backend("ssm").add_tags_to_resource(RESOURCE_TYPE, association_id, tags)
    return _told(call, association_id)


@operation("ssm", "UpdateAssociation")
def update_association(call: Call) -> Mapping[str, Any]:
    association_id = call.parameters["AssociationId"]
    row = _require(call, association_id)
    given = {key: value for key, value in call.parameters.items() if key != "AssociationVersion"}
    _require_document(call, given.get("Name", row["Name"]))
    rows(call.moto_backend("ssm"))[association_id] = {
        "Name": row["Name"],
        **{key: row[key] for key in ONLY_AT_CREATION if key in row},
        **given,
        "AssociationVersion": str(int(row["AssociationVersion"]) + 1),
        "Date": row["Date"],
        "LastUpdateAssociationDate": datetime.now(UTC),
    }
    return _told(call, association_id)


@operation("ssm", "DescribeAssociation")
def describe_association(call: Call) -> Mapping[str, Any]:
    return _told(call, call.parameters.get("AssociationId", ""))


@operation("ssm", "DeleteAssociation")
def delete_association(call: Call) -> Mapping[str, Any]:
    association_id = _require(call, call.parameters.get("AssociationId", ""))["AssociationId"]
    del rows(call.moto_backend("ssm"))[association_id]
    return {}


def rows(backend: Any) -> dict[str, dict[str, Any]]:
    """The associations of an account and Region by id, with moto's other state, so that they are emptied with it."""
    stored: dict[str, dict[str, Any]] = vars(backend).setdefault("associations", {})
    return stored


@override(SimpleSystemManagerBackend, "_validate_resource_type_and_id")
def tagged_id(original: Any, backend: Any, resource_type: str, resource_id: str) -> str:
    """moto has no associations to tag."""
    if resource_type == RESOURCE_TYPE and resource_id in rows(backend):
        return resource_id
    found: str = original(resource_type, resource_id)
    return found


def _told(call: Call, association_id: str) -> Mapping[str, Any]:
    return {"AssociationDescription": _require(call, association_id)}


def _require(call: Call, association_id: str) -> dict[str, Any]:
    found = rows(call.moto_backend("ssm")).get(association_id)
    if found is None:
        raise api_error("ssm.association_not_found", association_id=association_id)
    return found


def _require_document(call: Call, name: str) -> None:
    if not name.startswith(OF_AMAZON) and name not in call.moto_backend("ssm")._documents:  # noqa: SLF001 - moto's own table
        raise api_error("ssm.document_not_found", name=name)


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
