"""Operations of services that moto does not have, for resource types whose row of data says how they are kept.

A response has what the request had, in the members that botocore's model gives it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from moto.core.utils import get_service_model

from local_aws.clients import partition_of
from local_aws.clock import CLOCK
from local_aws.handlers.binding import Binding, KeptRows, bindings
from local_aws.handlers.templates import Values, formatted
from local_aws.service import Call, ServiceError, operation
from local_aws.services.paging import page

TAGS = "tags"
ID_LENGTH = 5


class Table:
    """The resources of one type, by account and Region."""

    def __init__(self, type_name: str, binding: Binding, rows: KeptRows) -> None:
        self.type_name, self.binding, self.stored = type_name, binding, rows
        self.noun = type_name.rpartition("::")[2]

    def register(self) -> None:
        """Answers the operations of the binding."""
        service = self.binding.service
        operation(service, self.binding.create.operation)(self.create)
        operation(service, self.binding.read.operation)(self.read)
        operation(service, self.stored.listing)(self.listing)
        operation(service, self.binding.delete.operation)(self.delete)
        for name in sorted({update.operation for update in self.binding.updates}):
            operation(service, name)(self.update)

    def create(self, call: Call) -> Mapping[str, Any]:
        row = {self.stored.rename.get(name, name): value for name, value in call.parameters.items()}
        parent = self.parent_id(call)
        if any(each.get("name") == row.get("name") for each in self.rows(call)):
            # Source: inferred: the words
            raise ServiceError(self.stored.exists, f"{self.noun} {row.get('name')} already exists")
        identity = "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(ID_LENGTH * 2))
        own = {"@partition": partition_of(call.region), "@random": identity, "parent": parent}
        own["id"] = formatted(self.stored.id, Values(call, own))
        now = CLOCK.now()
        row = {**self.stored.defaults, **row, "id": own["id"], "arn": formatted(self.stored.arn, Values(call, own))}
        row |= {self.stored.created: now, self.stored.changed: now}
        if self.stored.parent is not None:
            row[self.stored.parent.member] = parent
        self.table(call)[row["id"]] = row
        return self.answer(call, row)

    def read(self, call: Call) -> Mapping[str, Any]:
        return self.answer(call, self.row(call))

    def update(self, call: Call) -> Mapping[str, Any]:
        row = self.row(call)
        named = {self.stored.key, "clientToken", self.stored.parent.parameter if self.stored.parent is not None else ""}
        for name, value in call.parameters.items():
            if name not in named:
                member = self.stored.rename.get(name, name)
                row[member] = {**row.get(member, {}), **value} if isinstance(value, dict) else value
        row[self.stored.changed] = CLOCK.now()
        return self.answer(call, row)

    def delete(self, call: Call) -> Mapping[str, Any]:
        row = self.row(call)
        for noun in self.contained(call, row["id"]):
            # Source: inferred: the words
            raise ServiceError(self.stored.in_use, f"{self.noun} {row['id']} has a {noun}")
        del self.table(call)[row["id"]]
        return self.answer(call, row)

    def contained(self, call: Call, identity: str) -> Iterator[str]:
        """The nouns of resources that the resource contains."""
        for table in tables():
            parent = table.stored.parent
            if parent is not None and parent.type_name == self.type_name:
                yield from (table.noun for row in table.table(call).values() if row[parent.member] == identity)

    def listing(self, call: Call) -> Mapping[str, Any]:
        # Source: inferred: the code
        refusal = ServiceError("ValidationException", "nextToken is not valid")
        given = call.parameters
        rows, token = page(self.rows(call), given.get("maxResults"), given.get("nextToken"), refusal)
        shape = _output(call).members[self.stored.listed].member
        return {self.stored.listed: [_projected(row, shape) for row in rows], **({"nextToken": token} if token else {})}

    def table(self, call: Call) -> dict[str, Any]:
        return call.table(self.noun)

    def rows(self, call: Call) -> list[dict[str, Any]]:
        """Those of the parent that the request names."""
        parent = self.parent_id(call)
        member = self.stored.parent.member if self.stored.parent is not None else ""
        return [row for row in self.table(call).values() if parent is None or row[member] == parent]

    def row(self, call: Call) -> dict[str, Any]:
        """The row that the request names. Raises ServiceError without one."""
        return self.named(self.rows(call), call.parameters[self.stored.key])

    def named(self, rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
        for row in rows:
            if name in [row.get(each) for each in self.stored.known_by]:
                return row
        # Source: inferred: the words
        raise ServiceError(self.stored.missing, f"{self.noun} {name} does not exist")

    def parent_id(self, call: Call) -> str | None:
        """The id of the resource that contains this one. Raises ServiceError when there is none."""
        if self.stored.parent is None:
            return None
        parent = next(each for each in tables() if each.type_name == self.stored.parent.type_name)
        found: str = parent.named(list(parent.table(call).values()), call.parameters[self.stored.parent.parameter])[
            "id"
        ]
        return found

    def answer(self, call: Call, row: Mapping[str, Any]) -> dict[str, Any]:
        shape = _output(call)
        if shape is None or self.stored.member not in shape.members:
            return {}
        return {self.stored.member: _projected(row, shape.members[self.stored.member])}


def tables() -> Iterator[Table]:
    """One of each type that is kept."""
    return (Table(name, each, each.store) for name, each in bindings().items() if each.store is not None)


def tagged_row(call: Call) -> dict[str, Any]:
    """The row with the ARN of the request. Raises ServiceError without one."""
    for table in tables():
        if table.binding.service == call.service:
            for row in table.table(call).values():
                if row["arn"] == call.parameters["resourceArn"]:
                    found: dict[str, Any] = row
                    return found
    # Source: inferred: the words
    raise ServiceError("ResourceNotFoundException", f"{call.parameters['resourceArn']} does not exist")


def tag(call: Call) -> Mapping[str, Any]:
    row = tagged_row(call)
    row[TAGS] = {**row.get(TAGS, {}), **call.parameters["tags"]}
    return {}


def untag(call: Call) -> Mapping[str, Any]:
    row = tagged_row(call)
    row[TAGS] = {key: value for key, value in row.get(TAGS, {}).items() if key not in call.parameters["tagKeys"]}
    return {}


def list_tags(call: Call) -> Mapping[str, Any]:
    return {TAGS: tagged_row(call).get(TAGS, {})}


def _output(call: Call) -> Any:
    return get_service_model(call.service).operation_model(call.operation).output_shape


def _projected(row: Mapping[str, Any], shape: Any) -> dict[str, Any]:
    return {name: row[name] for name in shape.members if name in row}


for _table in tables():
    _table.register()
for _service in sorted({table.binding.service for table in tables()}):
    operation(_service, "TagResource")(tag)
    operation(_service, "UntagResource")(untag)
    operation(_service, "ListTagsForResource")(list_tags)
