"""Resources that no stack has, in resources that a stack has: access entries, add-ons and node groups of a cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from local_aws.cloudformation.values import Address
from local_aws.resource_types.reader import Source
from local_aws.resource_types.readers import reader_of
from local_aws.resource_types.templates import Values, filled, found
from neuron_cluster.aws.reading import NotRead
from neuron_cluster.aws.resource_source import reading_of
from neuron_cluster.catalog.drift_type import Listing
from neuron_cluster.drift.compare import Part
from neuron_cluster.drift.deployed_values import DeployedResources
from neuron_cluster.drift.readings import Place
from neuron_cluster.drift.records import Drift, DriftKind, Severity

ROLE = "AWS::IAM::Role"


class Foreign(Struct, frozen=True):
    """The result of the listings of all resources."""

    drifts: tuple[Drift, ...] = ()
    parts: tuple[Part, ...] = ()


def foreign_resources(resources: DeployedResources, source: Source) -> Foreign:
    """Resources of the listed types that none of the stacks has. A failed call is a part that was not compared."""
    drifts: list[Drift] = []
    parts: list[Part] = []
    held = {(resources.type_of(each), resources.physical_id(each)) for each in resources.addresses()}
    roles = {name for kind, name in held if kind == ROLE}
    for address in resources.addresses():
        row, place = resources.catalog.drift_types.get(resources.type_of(address)), resources.place(address)
        if row is None or place is None:
            continue
        for listing in row.listings:
            names = _names(source, place, listing)
            if isinstance(names, NotRead):
                parts.append(Part(address, f"other {listing.type}", names))
                continue
            drifts += _drifts(address, place, listing, [name for name in names if not _is_of_stack(name, roles)], held)
    return Foreign(tuple(drifts), tuple(parts))


def _names(source: Source, place: Place, listing: Listing) -> list[str] | NotRead:
    service, operation = listing.operation.split(":")
    parts = reader_of(place.type).parts(source, place.physical_id)
    parameters = filled(dict(listing.parameters), Values(source, parts))

    def names() -> list[str]:
        return list(found(listing.path, source.answer(service, operation, parameters)) or ())

    return reading_of(names)


def _is_of_stack(name: str, roles: set[str]) -> bool:
    """The service makes access entries for the roles of nodes: a stack has the role."""
    return name.startswith("arn:") and name.rpartition("/")[2] in roles


def _drifts(
    address: Address, place: Place, listing: Listing, names: list[str], held: set[tuple[str, str]]
) -> Iterator[Drift]:
    for name in names:
        physical_id = listing.physical_id.replace("{@item}", name).replace("{Name}", place.physical_id)
        if (listing.type, physical_id) in held or any(re.fullmatch(each, name) for each in listing.ignored):
            continue
        yield Drift(
            stack=address.stack,
            logical_id="",
            type=listing.type,
            physical_id=physical_id,
            kind=DriftKind.ADDED,
            severity=Severity.ERROR,
            actual=name,
        )
