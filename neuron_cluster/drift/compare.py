"""Resources of deployed templates compared with what their services return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.values import Address, holds_unknown
from local_aws.resource_types.attachments import ATTACHED, attached_types, without_attachments
from local_aws.resource_types.property_differences import PropertyDifference, property_differences
from local_aws.resource_types.readers.iam import INLINE_POLICY
from local_aws.resource_types.write_only_properties import readable_part
from neuron_cluster.aws.reading import NotRead
from neuron_cluster.catalog.drift_type import DriftType
from neuron_cluster.drift.deployed_values import DeployedResources
from neuron_cluster.drift.policies import with_canonical_policies, without_empty_elements
from neuron_cluster.drift.readings import NOTHING_MADE, Place, Reading, Readings, readable_names
from neuron_cluster.drift.records import Drift, DriftKind, Severity
from neuron_cluster.drift.selection import Selection
from neuron_cluster.drift.tags import without_other_tags

CUSTOM = ("Custom::", "AWS::CloudFormation::CustomResource")
GIVEN_TO_FUNCTION = ("ServiceToken", "ServiceTimeout")
NO_ROW = DriftType(name="", source="", checked_on=date.min)
REFERS_TO_UNREAD = "the template refers to a value that was not read"
UNREAD = "the toolkit has no call that returns resources of this type"
WRITE_ONLY = "the service does not return it"


class Part(Struct, frozen=True):
    """A resource, or a property of it, that was not compared, and why."""

    address: Address
    name: str
    """The property; empty for the resource as a whole."""
    reason: str | NotRead
    is_never_read: bool = False


class Compared(Struct, frozen=True):
    """The result for one resource."""

    drifts: tuple[Drift, ...] = ()
    parts: tuple[Part, ...] = ()
    is_compared: bool = True
    """Whether at least one property was."""


class Comparer:
    """Compares the resources of an environment, one at a time."""

    def __init__(
        self,
        resources: DeployedResources,
        readings: Readings,
        keys_of_access: frozenset[str],
        only: Selection | None = None,
    ) -> None:
        """``only`` has the properties that are compared of each resource; without it all are."""
        self._resources = resources
        self._only = only or {}
        self._readings = readings
        self._keys_of_access = keys_of_access
        self._attached = self._addresses_by_type()

    def exists(self, address: Address) -> bool:
        """Whether a resource exists outside of its template, too."""
        kind = self._resources.type_of(address)
        return kind.startswith(CUSTOM) or not kind.startswith(NOTHING_MADE)

    def compared(self, address: Address) -> Compared | None:
        """None for a resource that exists in the template only."""
        if not self.exists(address):
            return None
        kind = self._resources.type_of(address)
        place = self._resources.place(address)
        if place is None:
            reason = self._row(kind).unread
            return _not_compared(address, reason or UNREAD, is_never_read=bool(reason))
        expected, wanted = self._expected(address, place), self._only.get(address)
        if wanted is not None:
            expected = {name: value for name, value in expected.items() if name in wanted}
        found = self._reading(place, expected)
        if isinstance(found, NotRead):
            return _not_compared(address, found)
        if found is None:
            return Compared((self._drift(address, place, DriftKind.DELETED),))
        return self._differences(address, place, expected, found)

    def _expected(self, address: Address, place: Place) -> dict[str, Any]:
        """The values of the template, and those that a resource has of properties that the template does not have."""
        written = self._resources.properties(address)
        row = self._row(self._resources.type_of(address))
        if row.read_as:
            names = readable_names(place.type)
            return {name: value for name, value in written.items() if name in names and name != "Tags"}
        return {**{name: row.value_without(name) for name in row.absent}, **readable_part(place.type, written)}

    def _reading(self, place: Place, expected: Mapping[str, Any]) -> Reading | NotRead | None:
        if place.type == INLINE_POLICY:
            return self._readings.inline_policy(place, expected)
        return self._readings.properties(place, expected.keys())

    def _whole(self, place: Place, expected: Mapping[str, Any]) -> Reading | NotRead | None:
        if place.type == INLINE_POLICY:
            return self._readings.inline_policy(place, expected)
        return self._readings.properties(place, readable_names(place.type))

    def _differences(self, address: Address, place: Place, expected: Mapping[str, Any], found: Reading) -> Compared:
        parts = [Part(address, name, failed) for name, failed in found.not_read.items()]
        actual = self._own(place, found.properties)
        drifts: list[Drift] = []
        row, count = self._row(self._resources.type_of(address)), 0
        for name, value in expected.items():
            if name in found.not_read:
                continue
            if holds_unknown(value):
                parts.append(Part(address, name, REFERS_TO_UNREAD))
                continue
            count += 1
            differences = self._of_property(name, value, actual.get(name), row)
            drifts += [self._drift(address, place, DriftKind.CHANGED, each) for each in differences]
        return Compared(tuple(drifts), tuple(parts), count > 0)

    def _of_property(self, name: str, expected: Any, actual: Any, row: DriftType) -> Iterator[PropertyDifference]:
        if expected is None:
            if actual is not None:
                yield PropertyDifference((name,), "ADD", None, actual)
            return
        if actual is None and expected in ([], {}, False):
            return
        before, after = (with_canonical_policies({name: value})[name] for value in (expected, actual))
        before, after = without_other_tags(name, before, after, self._keys_of_access)
        if after is None:
            yield PropertyDifference((name,), "REMOVE", expected, None)
            return
        for difference in property_differences(before, after, (name,)):
            if difference.pattern not in row.read_by_service:
                yield difference
        if name in row.maps and isinstance(before, Mapping) and isinstance(after, Mapping):
            for key in sorted(after.keys() - before.keys()):
                yield PropertyDifference((name, key), "ADD", None, after[key])

    def _own(self, place: Place, properties: Mapping[str, Any]) -> Mapping[str, Any]:
        """Without what is a resource of its own, in whichever stack it is."""
        if place.type not in ATTACHED:
            return properties
        return without_attachments(place.type, place.physical_id, properties, self._attachments(place))

    def _attachments(self, holder: Place) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The attached resources as they are now; as the template has them where they were not read."""
        for kind in attached_types(holder.type):
            for address in self._attached.get(kind, ()):
                expected = self._resources.properties(address)
                named = expected.get(next(each for name, each in ATTACHED[holder.type].values() if name == kind))
                if named != holder.physical_id and holder.physical_id not in _list(named):
                    continue
                place = self._resources.place(address)
                found = self._whole(place, expected) if place is not None else None
                yield kind, found.properties if isinstance(found, Reading) else expected

    def _addresses_by_type(self) -> Mapping[str, list[Address]]:
        found: dict[str, list[Address]] = {}
        for address in self._resources.addresses():
            found.setdefault(self._resources.type_of(address), []).append(address)
        return found

    def _drift(
        self, address: Address, place: Place, kind: DriftKind, difference: PropertyDifference | None = None
    ) -> Drift:
        row = self._row(self._resources.type_of(address))
        name = str(difference.place[0]) if difference is not None else ""
        protects = name in row.protects or difference is None
        return Drift(
            stack=address.stack,
            logical_id=address.logical_id,
            type=self._resources.type_of(address),
            physical_id=place.physical_id,
            kind=kind,
            severity=Severity.ERROR if protects else Severity.WARNING,
            property=difference.pointer if difference is not None else "",
            place=tuple(map(str, difference.place)) if difference is not None else (),
            template=without_empty_elements(difference.expected) if difference is not None else None,
            actual=without_empty_elements(difference.actual) if difference is not None else None,
        )

    def _row(self, kind: str) -> DriftType:
        return self._resources.catalog.drift_types.get(kind) or NO_ROW


def _not_compared(address: Address, reason: str | NotRead, *, is_never_read: bool = False) -> Compared:
    return Compared(parts=(Part(address, "", reason, is_never_read),), is_compared=False)


def _list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else ()
