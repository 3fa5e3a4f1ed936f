"""Operations for a part of a kept resource: its members are members of the row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.handlers.binding import Setting
from local_aws.service import Call, ServiceError, operation
from local_aws.services.table_service import Table, tables


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
