"""Operations for the settings and the tags of kept resources: their members are members of the row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from moto.core.utils import get_service_model

from local_aws.contract import Call, ServiceError
from local_aws.registry import operation
from local_aws.resource_types.binding import Setting, TagCalls, kept_services
from local_aws.services.table import Table, tables
from local_aws.services.table_rows import TAGS, as_map, projected


class TableSetting:
    """One property that has operations of its own."""

    def __init__(self, table: Table, setting: Setting) -> None:
        self.table, self.setting = table, setting

    def register(self) -> None:
        service, setting = self.table.binding.service, self.setting
        operation(service, setting.put.operation)(self.put)
        if setting.off.operation != setting.put.operation:
            operation(service, setting.off.operation)(self.remove)
        if setting.get is not None and setting.get.operation != self.table.binding.read.operation:
            operation(service, setting.get.operation)(self.read)

    def put(self, call: Call) -> Mapping[str, Any]:
        row = self._without(call)
        row |= {name: value for name, value in call.parameters.items() if name != self.table.stored.key}
        return self.table.answer(call, row)

    def read(self, call: Call) -> Mapping[str, Any]:
        row = self.table.row(call)
        if not self._members() & set(row):
            stored = self.table.stored
            # Source: inferred: the words
            raise ServiceError(stored.missing, f"{self.table.noun} {row[stored.id_member]} has none")
        return self.table.answer(call, row)

    def remove(self, call: Call) -> Mapping[str, Any]:
        return self.table.answer(call, self._without(call))

    def _without(self, call: Call) -> dict[str, Any]:
        row = self.table.row(call)
        for name in self._members():
            row.pop(name, None)
        return row

    def _members(self) -> set[str]:
        model = get_service_model(self.table.binding.service)
        return set(model.operation_model(self.setting.put.operation).input_shape.members) - {self.table.stored.key}


for _table in tables():
    for _setting in _table.binding.settings:
        TableSetting(_table, _setting).register()


OtherRows = Callable[[Call], Iterable[dict[str, Any]]]
OTHER_ROWS: dict[str, tuple[str, OtherRows]] = {}
"""The member that has the ARN, by service, and rows with tags that are of no type of resources."""


def has_tags(service: str, arn_member: str) -> Callable[[OtherRows], OtherRows]:
    """Registers a function that returns such rows."""

    def register(function: OtherRows) -> OtherRows:
        OTHER_ROWS[service] = (arn_member, function)
        return function

    return register


class TableTags:
    """The tags of the tables of one service, and of its other rows."""

    def __init__(self, service: str, tagged: Sequence[Table], calls: TagCalls) -> None:
        self.service, self.tables, self.calls = service, tagged, calls
        (self.resource,) = calls.tag.parameters

    def register(self) -> None:
        operation(self.service, self.calls.tag.operation)(self.tag)
        operation(self.service, self.calls.untag.operation)(self.untag)
        operation(self.service, self.tables[0].stored.tag_listing)(self.listing)

    def tag(self, call: Call) -> Mapping[str, Any]:
        row = self.row(call)
        row[TAGS] = {**row[TAGS], **as_map(call.parameters[self.calls.tag_member])}
        return {}

    def untag(self, call: Call) -> Mapping[str, Any]:
        row = self.row(call)
        gone = call.parameters[self.calls.keys_member]
        row[TAGS] = {key: value for key, value in row[TAGS].items() if key not in gone}
        return {}

    def listing(self, call: Call) -> Mapping[str, Any]:
        shape = get_service_model(self.service).operation_model(call.operation).output_shape
        member = next(name for name in shape.members if name.lower().endswith("tags"))
        return projected({member: self.row(call)[TAGS]}, shape)

    def row(self, call: Call) -> dict[str, Any]:
        """The one that the request names. Raises ServiceError without one."""
        name = call.parameters[self.resource]
        for table in self.tables:
            for row in table.table(call).values():
                if name in (row[table.stored.id_member], row.get(table.stored.arn_member)):
                    found: dict[str, Any] = row
                    return found
        if self.service in OTHER_ROWS:
            member, rows_of = OTHER_ROWS[self.service]
            for other in rows_of(call):
                if name == other[member]:
                    return other
        # Source: inferred: the words
        raise ServiceError(self.tables[0].stored.missing, f"{name} does not exist")


def register() -> None:
    """Answers the operations of each service that keeps resources with tags."""
    for service in sorted(kept_services()):
        tagged = [each for each in tables() if each.binding.service == service and each.binding.tags is not None]
        calls = next((each.binding.tags for each in tagged), None)
        if calls is not None:
            TableTags(service, tagged, calls).register()


register()
