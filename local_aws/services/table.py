"""Resources of services that moto does not have, of types whose row of data says how they are kept.

A response has what the request had, in the members that botocore's model gives it.
"""

from __future__ import annotations

import functools
import secrets
import string
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from botocore import xform_name
from botocore.exceptions import ClientError
from moto.core.utils import get_service_model

from local_aws.api_errors import api_error
from local_aws.clients import partition_of
from local_aws.clock import CLOCK
from local_aws.contract import Call, ServiceError
from local_aws.resource_types.binding import Binding, KeptRows, bindings, kept_services
from local_aws.resource_types.templates import Values, filled, formatted, found, part_of
from local_aws.services.client_tokens import token_member
from local_aws.services.table_rows import TAGS, given_tags, projected, shape_of

ID_LENGTH, HEX_LENGTH = 10, 17
GLOBAL = "global"
"""The Region of rows that all Regions of an account share."""
DRY_RUN = "dryRun"

Maker = Callable[[Call, Mapping[str, Any]], Mapping[str, Any]]
MAKERS: dict[str, Maker] = {}
"""Functions by type: they return the members of a new resource that no row of data can describe."""


def made_by(type_name: str) -> Callable[[Maker], Maker]:
    """Registers a function that takes the request and the new row, and returns further members."""

    def register(function: Maker) -> Maker:
        MAKERS[type_name] = function
        return function

    return register


Changer = Callable[[Call, Mapping[str, Any], dict[str, Any]], Mapping[str, Any]]
CHANGERS: dict[str, Changer] = {}
"""Functions by type: they return the members of a changed resource that no row of data can describe."""
Ender = Callable[[Call, Mapping[str, Any]], None]
ENDERS: dict[str, Ender] = {}
"""Functions by type: they delete what the service made for a resource that is deleted."""


def changed_by(type_name: str) -> Callable[[Changer], Changer]:
    """Registers a function that takes the request, the row before and the row after, and returns further members.

    It may remove members of the row after.
    """

    def register(function: Changer) -> Changer:
        CHANGERS[type_name] = function
        return function

    return register


def ended_by(type_name: str) -> Callable[[Ender], Ender]:
    """Registers a function that takes the request and the row of the resource, which is gone already."""

    def register(function: Ender) -> Ender:
        ENDERS[type_name] = function
        return function

    return register


class Table:
    """The resources of one type, by account and Region."""

    def __init__(self, type_name: str, binding: Binding, rows: KeptRows) -> None:
        self.type_name, self.binding, self.stored = type_name, binding, rows
        self.noun = type_name.rpartition("::")[2]
        self.names = [name for name, value in binding.read.parameters.items() if isinstance(value, list)]
        """Parameters of the operation that reads several resources, which all have to exist."""

    def create(self, call: Call) -> Mapping[str, Any]:
        row = self.new_row(call)
        rows, identity = self.table(call), row[self.stored.id_member]
        is_put = call.operation in {each.operation for each in self.binding.updates}
        if not is_put and (identity in rows or any(self.is_same(each, row) for each in rows.values())):
            name = next((row[each] for each in self.stored.unique if each in row), identity)
            raise self.error(self.stored.exists, name, "already exists")
        if TAGS in row and self.stored.arn and self.binding.service not in kept_services():
            tags = row.pop(TAGS, {})
            if identity not in rows:
                self.tag_elsewhere(call, row[self.stored.arn_member], tags)
        rows[identity] = row
        return self.answer(call, row)

    def tag_elsewhere(self, call: Call, arn: str, tags: Mapping[str, str]) -> None:
        """Sets the tags in moto, which has those of the service."""
        client = call.client(self.binding.service)
        if old := client.list_tags_for_resource(resourceArn=arn)["tags"]:
            client.untag_resource(resourceArn=arn, tagKeys=list(old))
        if tags:
            client.tag_resource(resourceArn=arn, tags=tags)

    def new_row(self, call: Call) -> dict[str, Any]:
        apart = {token_member(call.service, call.operation), DRY_RUN}
        given = {name: value for name, value in call.parameters.items() if name not in apart}
        row = {self.stored.rename.get(name, name): value for name, value in given.items()}
        if self.binding.tags is not None:
            row |= given_tags(self.binding.tags, row.pop(self.binding.tags.at_creation, []))
        if self.stored.parent is not None:
            row[self.stored.parent.member] = self.parent_id(call)
        row |= self.looked_up(call, row)
        row |= MAKERS[self.type_name](call, row) if self.type_name in MAKERS else {}
        row[self.stored.id_member] = formatted(self.stored.id, self.values(call, row))
        if self.stored.arn:
            row[self.stored.arn_member] = formatted(self.stored.arn, self.values(call, row))
        row[self.stored.created] = CLOCK.now()
        self.stamp(row)
        return {**filled({**self.stored.defaults, **self.stored.set_by_update}, self.values(call, row)), **row}

    def stamp(self, row: dict[str, Any]) -> None:
        """The time of the change, and the next version of a resource that counts them."""
        row[self.stored.changed] = CLOCK.now()
        if counter := self.stored.version:
            row[counter] = str(1 + int(row.get(counter, 0)))

    def is_same(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether both have the values that only one resource may have, in one parent where they have parents."""
        unique, parent = self.stored.unique, self.stored.parent
        within = (*unique, parent.member) if parent is not None else unique
        return bool(unique) and all(one.get(name) == other.get(name) for name in within)

    def values(self, call: Call, row: Mapping[str, Any]) -> Values:
        """Returns the values of the names in the templates of the row."""
        own = {
            "@partition": partition_of(call.region),
            "@random": "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(ID_LENGTH)),
            "@hex": secrets.token_hex(HEX_LENGTH)[:HEX_LENGTH],
            "@uuid": str(uuid.uuid4()),
            "@slug": str(row.get("name", "")).lower().replace(" ", "-"),
            "id": row.get(self.stored.id_member),
            "parent": row.get(self.stored.parent.member) if self.stored.parent is not None else None,
        }
        return Values(call, {**row, **own})

    def looked_up(self, call: Call, row: Mapping[str, Any]) -> dict[str, Any]:
        """Returns members of a new row from the responses of other calls. Raises ServiceError when a call fails."""
        members: dict[str, Any] = {}
        for each in self.stored.looked_up:
            service, _, name = each.operation.partition(":")
            parameters = filled(each.parameters, Values(call, {**row, **members}))
            if len(parameters) < len(each.parameters):
                continue  # the request names no such resource
            try:
                answer = getattr(call.client(service), xform_name(name))(**parameters)
            except ClientError as error:
                # Source: inferred: the code
                raise ServiceError(self.stored.missing, error.response["Error"]["Message"]) from error
            members |= {member: found(path, answer) for member, path in each.members.items()}
        return members

    def read(self, call: Call) -> Mapping[str, Any]:
        return self.answer(call, self.row(call))

    def update(self, call: Call) -> Mapping[str, Any]:
        stored = self.row(call)
        row = dict(stored)  # an update that is rejected changes nothing
        parent = self.stored.parent.parameter if self.stored.parent is not None else ""
        fixed = {self.stored.key, parent, self.stored.version, token_member(call.service, call.operation)}
        required = get_service_model(call.service).operation_model(self.binding.create.operation).input_shape
        for name in shape_of(call, "input_shape").members:
            member = self.stored.rename.get(name, name)
            if name in fixed:
                continue
            if name in call.parameters:
                value = call.parameters[name]
                is_part = isinstance(value, dict) and self.stored.merges and not self.stored.is_whole
                row[member] = {**row.get(member, {}), **value} if is_part else value
            elif self.stored.is_whole and name not in required.required_members:
                row.pop(member, None)
        if self.type_name in CHANGERS:
            row |= CHANGERS[self.type_name](call, stored, row)
        values = self.values(call, row)
        row |= filled(self.stored.set_by_update, values) | {
            name: value for name, value in filled(self.stored.defaults, values).items() if name not in row
        }
        self.stamp(row)
        stored.clear()
        stored.update(row)
        return self.answer(call, row)

    def delete(self, call: Call) -> Mapping[str, Any]:
        row = self.row(call)
        for noun in self.contained(call, row[self.stored.id_member]):
            # Source: inferred: the words
            raise ServiceError(self.stored.in_use, f"{self.noun} {row[self.stored.id_member]} has a {noun}")
        del self.table(call)[row[self.stored.id_member]]
        if self.type_name in ENDERS:
            ENDERS[self.type_name](call, row)
        return self.answer(call, {**row, **filled(self.stored.deleted, self.values(call, dict(call.parameters)))})

    def contained(self, call: Call, identity: str) -> Iterator[str]:
        """The nouns of resources in the resource that its deletion does not delete."""
        for table in tables():
            parent = table.stored.parent
            if parent is not None and parent.type_name == self.type_name and parent.parameter != table.stored.key:
                yield from (table.noun for row in table.table(call).values() if row[parent.member] == identity)

    # Rows

    def table(self, call: Call) -> dict[str, Any]:
        region = GLOBAL if self.stored.is_global else call.region
        return call.store.table(call.account, region, f"{call.service}.{self.noun}")

    def rows(self, call: Call) -> list[dict[str, Any]]:
        """The rows of the parent that the request names."""
        parent = self.parent_id(call)
        member = self.stored.parent.member if self.stored.parent is not None else ""
        return [row for row in self.table(call).values() if parent is None or row[member] == parent]

    def row(self, call: Call) -> dict[str, Any]:
        """The row that the request names. Raises ServiceError when there is none."""
        return self.named(self.rows(call), found(self.stored.key, dict(call.parameters)) or "")

    def named(self, rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
        members = (self.stored.id_member, self.stored.arn_member, *self.stored.known_by)
        for row in rows[::-1]:  # of several versions the newest
            if name in [row[each] for each in members if each in row]:
                return row
        raise self.error(self.stored.missing, name, "does not exist")

    def error(self, code: str, name: str, text: str) -> ServiceError:
        """The error of a row of errors, ``ecr.rule_exists``, or of a code."""
        # Source: inferred: the words
        return api_error(code, name=name) if "." in code else ServiceError(code, f"{self.noun} {name} {text}")

    def parent_id(self, call: Call) -> str | None:
        """The id of the resource that contains this one. Raises ServiceError when there is none."""
        stored = self.stored.parent
        if stored is None or stored.parameter not in call.parameters:
            return None
        parent = next(each for each in tables() if each.type_name == stored.type_name)
        row = parent.named(list(parent.table(call).values()), call.parameters[stored.parameter])
        return str(row[parent.stored.id_member])

    def shown(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with its computed members."""
        computed = {name: part_of(name, path, row) for name, path in self.stored.computed.items()}
        return {**row, **{name: value for name, value in computed.items() if value is not None}}

    def answer(self, call: Call, row: Mapping[str, Any]) -> dict[str, Any]:
        shape = shape_of(call, "output_shape")
        if shape is None:
            return {}
        shown = {**self.shown(row), self.stored.key: row[self.stored.id_member]}
        member = shape.members.get(self.stored.member)
        inner = {} if member is None else {self.stored.member: projected(shown, member)}
        return {**projected(shown, shape), **inner}


@functools.cache
def tables() -> tuple[Table, ...]:
    """A table for each type whose binding has ``store``."""
    return tuple(Table(name, each, each.store) for name, each in bindings().items() if each.store is not None)
