"""Answers of services about the resources of deployed stacks. Each resource is read once, each part by its own call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import Address
from local_aws.resource_types.binding import bindings
from local_aws.resource_types.reader import Row, Source
from local_aws.resource_types.readers import reader_of
from local_aws.resource_types.readers.iam import INLINE_POLICY, holders_of, inline_policy
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.reading import NotRead
from neuron_cluster.aws.resource_source import reading_of

NOTHING_MADE = ("AWS::CDK::", "AWS::CloudFormation::")
"""Beginnings of types that exist in a template only."""


class Place(Struct, frozen=True):
    """Where a resource of a stack is: what its service calls it."""

    address: Address
    type: str
    """The type that is read: of a custom resource the one that it makes."""
    physical_id: str


class Reading(Struct, frozen=True):
    """The properties of one resource."""

    properties: Mapping[str, Any]
    """Values that the service has."""
    not_read: Mapping[str, NotRead]
    """Properties whose call failed."""


class Readings:
    """Reads rows and properties; a failed call is a value."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rows: dict[Address, Row | NotRead | None] = {}

    def row(self, place: Place) -> Row | NotRead | None:
        """The service's row of a resource; None when there is none."""
        if place.address not in self._rows:
            self._rows[place.address] = self._read_row(place)
        return self._rows[place.address]

    def attributes(self, place: Place) -> Mapping[str, Any]:
        """Values of ``Fn::GetAtt``; none of a resource that was not read, or is gone."""
        row = self.row(place)
        if row is None or isinstance(row, NotRead):
            return {}
        return reader_of(place.type).attributes_in(self._source, place.physical_id, row)

    def properties(self, place: Place, names: Collection[str]) -> Reading | NotRead | None:
        """These properties of a resource; None when there is none."""
        row = self.row(place)
        if row is None or isinstance(row, NotRead):
            return row
        found: dict[str, Any] = {}
        failed: dict[str, NotRead] = {}
        for section in reader_of(place.type).sections(self._source, place.physical_id, row):
            wanted = set(section.properties) & set(names)
            if not wanted:
                continue
            part = reading_of(section.read)
            if isinstance(part, NotRead):
                failed |= dict.fromkeys(wanted, part)
                found = {name: value for name, value in found.items() if name not in wanted}
            else:
                found |= {name: value for name, value in part.items() if name in wanted and value is not None}
        return Reading(found, failed)

    def inline_policy(self, place: Place, properties: Mapping[str, Any]) -> Reading | NotRead | None:
        """An inline policy as the holders that the template names have it."""
        holders = list(holders_of(properties))
        read = functools.partial(inline_policy, self._source, place.physical_id, holders)
        found = reading_of(functools.partial(self._unless_absent, read))
        return found if found is None or isinstance(found, NotRead) else Reading(found, {})

    def _read_row(self, place: Place) -> Row | NotRead | None:
        reader = reader_of(place.type)
        read = functools.partial(reader.row, self._source, place.physical_id)
        return reading_of(functools.partial(self._unless_absent, read))

    def _unless_absent(self, read: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
        try:
            return read()
        except AwsApiError as error:
            if not self._source.is_absence(error):
                raise
            return None


def is_readable(type_name: str) -> bool:
    """Whether calls return resources of the type."""
    return type_name in bindings() or type_name == INLINE_POLICY


def readable_names(type_name: str) -> frozenset[str]:
    """The properties that a reader returns."""
    bound = bindings()[type_name]
    names = {*bound.row, *(setting.property for setting in bound.settings), *bound.in_code}
    return frozenset(names | ({bound.tags.property} if bound.tags is not None else set()))
