"""Operations for the tags of kept resources; requests name a resource by its ARN or its id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from moto.core.utils import get_service_model

from local_aws.handlers.binding import TagCalls, kept_services
from local_aws.service import Call, ServiceError, operation
from local_aws.services.table_rows import TAGS, as_map, projected
from local_aws.services.table_service import Table, tables


class TableTags:
    """Those of one service."""

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
