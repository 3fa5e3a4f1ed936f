"""The facts that come with the local AWS: one JSON file for each table, each row with its source and date."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import resources

import msgspec
from msgspec import Struct

from local_aws.cloudformation.property_changes import PropertyPath
from local_aws.knowledge.knowledge import Knowledge, Row


class ResourceSchema(Struct, frozen=True, kw_only=True):
    """What ``ResourceSchemas`` returns of one type."""

    create_only: frozenset[PropertyPath] = frozenset()
    primary_identifier: tuple[str, ...] = ()
    given_identifier: tuple[PropertyPath, ...] = ()
    tags_follow_stack: bool = False


NO_SCHEMA = ResourceSchema()


def _rows(table: str, kind: type[Row]) -> Mapping[str, Row]:
    """The table in ``facts/``."""
    text = resources.files("local_aws.knowledge").joinpath("facts", f"{table}.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, kind])  # type: ignore[valid-type]  # the class is the argument


class VendoredSchemas:
    """``ResourceSchemas`` by ``facts/resource_schemas.json``."""

    @cached_property
    def _types(self) -> Mapping[str, ResourceSchema]:
        return _rows("resource_schemas", ResourceSchema)

    def create_only(self, type_name: str) -> frozenset[PropertyPath]:
        return self._types.get(type_name, NO_SCHEMA).create_only

    def primary_identifier(self, type_name: str) -> tuple[str, ...]:
        return self._types.get(type_name, NO_SCHEMA).primary_identifier

    def given_identifier(self, type_name: str) -> tuple[PropertyPath, ...]:
        return self._types.get(type_name, NO_SCHEMA).given_identifier

    def tags_follow_stack(self, type_name: str) -> bool:
        return self._types.get(type_name, NO_SCHEMA).tags_follow_stack


class VendoredKnowledge(Knowledge):
    """Where the caller of ``LocalAws`` gives none."""

    resource_schemas = VendoredSchemas()

    def rows(self, table: str, kind: type[Row]) -> Mapping[str, Row]:
        return _rows(table, kind)
