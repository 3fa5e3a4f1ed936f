"""Kept rows in the shapes of botocore's models: texts of dates, tags as lists or maps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

TAGS = "tags"
"""The member of a row that has its tags as a map."""


def projected(row: Mapping[str, Any], shape: Any) -> dict[str, Any]:
    """The members of the row that the shape has."""
    return {name: _in_form(row[name], member) for name, member in shape.members.items() if name in row}


def as_map(tags: Any) -> dict[str, str]:
    """Tags of a request: a map, or a list whose items have a key and a value."""
    if isinstance(tags, Mapping):
        return dict(tags)
    pairs = ({name.lower()[-3:]: value for name, value in tag.items()} for tag in tags)
    return {pair["key"]: pair.get("lue", "") for pair in pairs}


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
    return value
