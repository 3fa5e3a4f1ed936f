"""Reads the properties of a resource by its binding; whoever asks says how a call is made."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from local_aws.resource_types.binding import Binding, BoundCall, Setting
from local_aws.resource_types.tags import shown_tags, tag_map
from local_aws.resource_types.templates import Values, filled, formatted, found, part_of, parts_of
from local_aws.resource_types.values import plain, to_property

Row = Mapping[str, Any]


class Source(Protocol):
    """One account and Region whose services answer."""

    @property
    def account(self) -> str: ...

    @property
    def region(self) -> str: ...

    def answer(self, service: str, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The answer in CloudFormation's spelling, as ``from_api`` returns it. Raises what the caller expects."""

    def pages(self, service: str, operation: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """All pages of an answer."""

    def is_absence(self, error: Exception) -> bool:
        """Whether this error, raised by one of the two, says that a thing is not there."""

    def absence(self, code: str, message: str, operation: str) -> Exception:
        """The error for a resource that no row of the answer is of."""


class Section(Struct, frozen=True):
    """Properties that are read together."""

    properties: tuple[str, ...]
    read: Callable[[], Mapping[str, Any]]
    """Returns those that the service has."""


class ResourceReader:
    """Reads resources of one type. A type with more to it has a class that extends ``sections`` or ``to_property``."""

    type_name: str = ""
    """The type that a class reads which extends this one."""

    def __init__(self, type_name: str, binding: Binding) -> None:
        self.type_name = type_name
        self.binding = binding

    def describe(self, source: Source, physical_id: str) -> dict[str, Any]:
        """The properties as the service returns them, in CloudFormation's spelling."""
        row = self.row(source, physical_id)
        shown: dict[str, Any] = {}
        for section in self.sections(source, physical_id, row):
            shown.update(section.read())
        return {name: value for name, value in shown.items() if value is not None}

    def sections(self, source: Source, physical_id: str, row: Row) -> Iterator[Section]:
        """All properties, those of the row first."""
        bound = self.binding
        yield Section(tuple(bound.row), functools.partial(self._of_row, row))
        for setting in bound.settings:
            yield Section((setting.property,), functools.partial(self._of_setting, source, physical_id, row, setting))
        if bound.tags is not None:
            read = functools.partial(self._of_tags, source, physical_id, row)
            yield Section((bound.tags.property,), read)

    def to_property(self, name: str, value: Any) -> Any:
        """A property's value as CloudFormation has it; the value is None where the service returns none."""
        return to_property(self.binding, name, value)

    def attributes(self, source: Source, physical_id: str) -> dict[str, Any]:
        """Returns the values of ``Fn::GetAtt``."""
        paths = self.binding.attributes.values()
        row = self.row(source, physical_id) if any(map(_is_of_row, paths)) else {}  # else the id tells all
        return self.attributes_in(source, physical_id, row)

    def attributes_in(self, source: Source, physical_id: str, row: Row) -> dict[str, Any]:
        """The same of a row that is read already."""
        values = Values(source, {**self.parts(source, physical_id), "@id": physical_id})
        shown = {
            name: part_of(name, path, row) if _is_of_row(path) else formatted(path, values)
            for name, path in self.binding.attributes.items()
        }
        return {name: plain(value) for name, value in shown.items() if value is not None}

    def row(self, source: Source, physical_id: str) -> dict[str, Any]:
        """Returns the service's present row of this resource. Raises the source's ``absence`` when it has none."""
        bound, values = self.binding, Values(source, self.parts(source, physical_id))
        for row in self._rows(source, values):
            same = all(_equal(found(path, row), values.get(name)) for name, path in bound.match.items())
            if same and not any(str(found(path, row)) == gone for path, gone in bound.absent_when.items()):
                return {**values.given, **self._further(source, values.over(row)), **row}
        message = str(formatted(bound.missing.message, Values(source, {**values.given, "@id": physical_id})))
        raise source.absence(bound.missing.code, message, bound.read.operation)

    def parts(self, source: Source, physical_id: str) -> dict[str, str]:
        """The names in the physical id. Raises the source's ``absence`` for an id of another form."""
        parts = parts_of(self.binding.parts or self.binding.ref, physical_id)
        if parts is None:
            message = f"{self.type_name}: {physical_id} is not a valid physical id"
            raise source.absence("InvalidIdNotFound", message, self.binding.read.operation)
        return parts

    def current_tags(self, source: Source, physical_id: str, row: Row) -> dict[str, str]:
        """Returns the tags that the service has, without AWS's own."""
        tags = self.binding.tags
        if tags is None:
            return {}
        if tags.listing is None:
            return tag_map(found(tags.path, dict(row)) or {})
        with absence_ignored(source):
            return tag_map(found(tags.path, self.ask(source, physical_id, tags.listing, row)) or {})
        return {}

    def ask(self, source: Source, physical_id: str, bound: BoundCall, row: Row) -> dict[str, Any]:
        """Calls with the parts of the physical id, then what the row returns."""

        def attributes() -> Mapping[str, Any]:
            return {**row, **self.attributes_in(source, physical_id, row)}

        given = {**self.binding.defaults, **self.parts(source, physical_id), "@id": physical_id}
        return self.answer(source, bound.operation, filled(bound.parameters, Values(source, given, attributes)))

    def answer(self, source: Source, operation: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of ``Operation`` of the type's own service, or of ``service:Operation``."""
        other_service, _, name = operation.rpartition(":")
        return source.answer(other_service or self.binding.service, name, parameters)

    def _of_row(self, row: Row) -> dict[str, Any]:
        return {name: self.to_property(name, part_of(name, path, row)) for name, path in self.binding.row.items()}

    def _of_setting(self, source: Source, physical_id: str, row: Row, setting: Setting) -> dict[str, Any]:
        with absence_ignored(source):
            place = row if setting.get is None else self.ask(source, physical_id, setting.get, row)
            return {setting.property: self.to_property(setting.property, found(setting.path, place))}
        return {}

    def _of_tags(self, source: Source, physical_id: str, row: Row) -> dict[str, Any]:
        tags = self.binding.tags
        if tags is None:
            return {}
        return {tags.property: shown_tags(tags, self.current_tags(source, physical_id, row))}

    def _rows(self, source: Source, values: Values) -> Iterator[dict[str, Any]]:
        bound = self.binding
        for answer in self._answers(source, filled(bound.read.parameters, values)):
            rows = found(bound.rows, json.loads(found(bound.rows_text, answer)) if bound.rows_text else answer)
            yield from rows if isinstance(rows, list) else [rows] if rows is not None else []

    def _answers(self, source: Source, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        bound = self.binding
        if bound.pages:
            yield from source.pages(bound.service, bound.read.operation, parameters)
        else:
            yield self.answer(source, bound.read.operation, parameters)

    def _further(self, source: Source, values: Values) -> dict[str, Any]:
        further: dict[str, Any] = {}
        for reading in self.binding.also_read:
            answer = self.answer(source, reading.operation, filled(reading.parameters, values))
            further.update(found(reading.path, answer))
        return further


def _is_of_row(path: str) -> bool:
    """Whether this path of an attribute is one in the row; otherwise it is made of parts of the physical id."""
    return " => " in path or "{" not in path


def _equal(value: Any, wanted: Any) -> bool:
    return value is None or wanted is None or str(value) == str(wanted)


@contextlib.contextmanager
def absence_ignored(source: Source) -> Iterator[None]:
    """Suppresses an error that says that the thing is not there."""
    try:
        yield
    except Exception as error:
        if not source.is_absence(error):
            raise


ABSENT = (
    "NotFound",
    "NoSuch",
    "NotAttached",
    "PlacementGroup.Unknown",
    "DoesNotExist",
    "NonExistent",
)
"""Parts of the error codes by which services say that a thing is not there.

Source: a read handler answers NotFound for what is not there,
https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract.html
"""


def is_absence_code(code: str) -> bool:
    """Whether a service says with this error code that a thing is not there."""
    return any(part in code for part in ABSENT)
