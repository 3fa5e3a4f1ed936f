"""Kept rows in the shapes of botocore's models: texts of dates, tags as lists or maps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.contract import Call
from local_aws.resource_types.binding import TagCalls

TAGS = "tags"
"""The member of a row that has its tags as a map."""


def shape_of(call: Call, which: str) -> Any:
    """``input_shape`` or ``output_shape`` of the operation; None without one."""
    return getattr(get_service_model(call.service).operation_model(call.operation), which)


def projected(row: Mapping[str, Any], shape: Any) -> dict[str, Any]:
    """The members of the row that the shape has."""
    return {name: _in_form(row[name], member) for name, member in shape.members.items() if name in row}


def as_map(tags: Any) -> dict[str, str]:
    """Tags of a request: a map, or a list whose items have a key and a value."""
    if isinstance(tags, Mapping):
        return dict(tags)
    pairs = ({name.lower()[-3:]: value for name, value in tag.items()} for tag in tags)
    return {pair["key"]: pair.get("lue", "") for pair in pairs}


def given_tags(tags: TagCalls, given: Any) -> dict[str, Any]:
    """The tags of a new row: a list where responses have them in the row as one, else a map under ``TAGS``."""
    if tags.specification:
        given = [tag for each in given if each["ResourceType"] == tags.specification for tag in each.get("Tags", [])]
    return {tags.path: given} if tags.form and tags.listing is None else {TAGS: as_map(given)}


def member_like(shape: Any, *names: str) -> str:
    """The member with one of the names, whatever its case; the first name without one."""
    wanted = [name.lower() for name in names]
    return next((str(each) for each in shape.members if each.lower() in wanted), names[0])


def _in_form(value: Any, shape: Any) -> Any:
    if isinstance(value, dt.datetime) and shape.type_name == "string":
        return value.isoformat()
    if isinstance(value, Mapping) and shape.type_name == "list":
        key, text = shape.member.members
        return [{key: name, text: each} for name, each in value.items()]
    if isinstance(value, str) and shape.type_name == "integer":  # the number of a version
        return int(value)
    return value
