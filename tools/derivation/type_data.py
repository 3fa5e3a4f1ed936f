"""Parts of a resource type that its schema and botocore's model do not have: one small YAML file per service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import yaml
from msgspec import Struct, field

from local_aws.handlers.property_constraints import SCHEMAS
from local_aws.resource_types.binding import (
    BoundCall,
    InPlace,
    KeptRows,
    Missing,
    Reading,
    Rejected,
    Setting,
    TagCalls,
    Update,
)

TYPES = SCHEMAS.parent / "types"
CallData = str | BoundCall


class TypeData(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row. Each field takes the place of what would be derived."""

    service: str | None = None
    create: CallData | None = None
    read: CallData | None = None
    delete: CallData | None = None
    update: str | tuple[Update, ...] | None = None
    """An operation's name, ``none``, or the calls in full."""
    update_mode: str = "full"
    """``changed``: the operation gets those properties only that differ."""
    reset: Mapping[str, Any] = field(default_factory=dict)
    """The value that resets a setting, by property."""
    identity: Mapping[str, str] = field(default_factory=dict)
    """The parameter for each part of the identifier."""
    ref: str | None = None
    parts: str = ""
    answer: Mapping[str, str] = field(default_factory=dict)
    failure: str = ""
    also_read: tuple[Reading, ...] = ()
    pages: bool = False
    rows_text: str = ""
    rows: str | None = None
    row: Mapping[str, str] = field(default_factory=dict)
    match: Mapping[str, str] = field(default_factory=dict)
    rename: Mapping[str, str] = field(default_factory=dict)
    """The name in the API, by property or path of a nested one."""
    wrap: str = ""
    """The parameter that has the properties as members."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    attributes_map: str = ""
    """The parameter that is a map of the properties without a parameter of their own."""
    json_text: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    tags: TagCalls | str | None = None
    """``none`` where CloudFormation tags the type and these operations do not."""
    tag_resource: str = ""
    """Template of the parameter that names the resource to tag."""
    generated_name: Mapping[str, int] = field(default_factory=dict)
    name_prefix: str = ""
    name_suffix: str = ""
    lower_case: bool = False
    defaults: Mapping[str, Any] = field(default_factory=dict)
    absent_when: Mapping[str, str] = field(default_factory=dict)
    missing: Missing | None = None
    rejected: tuple[Rejected, ...] = ()
    refused: tuple[str, ...] = ()
    in_code: tuple[str, ...] = ()
    write_only: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    in_place: InPlace | None = None
    store: KeptRows | None = None
    """Rows of a type that moto does not have."""


def type_data() -> dict[str, TypeData]:
    """Returns the data by type name."""
    rows: dict[str, TypeData] = {}
    for path in sorted(TYPES.glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        rows.update(msgspec.convert(content, dict[str, TypeData]))
    return rows
