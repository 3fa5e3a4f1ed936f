"""moto's EC2, imported without what it reads for calls that may never come: two thirds of a second of each start.

That is 90 tables of which instance types each Region and zone offers, and botocore's model of EC2 (a second time) for
the names of Regions.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import botocore.session
from moto.utilities import utils

OFFERINGS = "instance_type_offerings"
ENDPOINT_PREFIX = {"metadata": {"endpointPrefix": "ec2"}}
"""All that is read of the model when Regions are listed."""


class OfferingsOfRegions(Mapping[str, list[dict[str, str]]]):
    """By Region, what instance types it or its zones offer; read when somebody asks."""

    def __init__(self, location_type: str, regions: Collection[str]) -> None:
        self._location_type = location_type
        self._regions = frozenset(regions)
        self._rows = functools.cache(self._read)

    def __getitem__(self, region: str) -> list[dict[str, str]]:
        if region not in self._regions:
            raise KeyError(region)
        return self._rows(region)

    def __iter__(self) -> Iterator[str]:
        return iter(self._regions)

    def __len__(self) -> int:
        return len(self._regions)

    def _read(self, region: str) -> list[dict[str, str]]:
        path = f"ec2/resources/{OFFERINGS}/{self._location_type}/{region}.json"
        rows: list[dict[str, str]] = utils.load_resource(path)
        return [{**row, "LocationType": self._location_type} for row in rows]


def import_moto_ec2() -> None:
    """Before any other import of it, to have an effect."""
    with _without_offerings(), _without_model():
        from moto.ec2.models.instance_types import INSTANCE_TYPE_OFFERINGS
    for location_type, by_region in INSTANCE_TYPE_OFFERINGS.items():
        INSTANCE_TYPE_OFFERINGS[location_type] = OfferingsOfRegions(location_type, by_region)


@contextlib.contextmanager
def _without_offerings() -> Iterator[None]:
    read = utils.load_resource

    def load(resource: str) -> Any:
        return [] if OFFERINGS in resource else read(resource)

    vars(utils)["load_resource"] = load
    yield
    vars(utils)["load_resource"] = read


@contextlib.contextmanager
def _without_model() -> Iterator[None]:
    session = botocore.session.Session
    read = session.get_service_data
    session.get_service_data = lambda *_: ENDPOINT_PREFIX
    yield
    session.get_service_data = read
