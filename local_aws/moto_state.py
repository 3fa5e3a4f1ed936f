"""moto's own state: how it is set up for this local AWS, and how it is emptied.

Set up, moto works out nothing twice that is the same each time, and its EC2 reads no tables that may never be used: two
thirds of a second of each start. Those are 90 of which instance types each Region and zone offers, and botocore's model
of EC2 (a second time) for the names of Regions.
"""

from __future__ import annotations

import contextlib
import functools
import string
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import botocore.session
from moto.core.serialize import AttributePickerContext, XFormedAttributePicker
from moto.utilities import utils

from local_aws.knowledge.current import knowledge
from local_aws.moto_xml import write_xml_quickly
from local_aws.service_models import kept


def set_up_moto() -> None:
    """Without state, and without Docker; the IAM policies that AWS manages exist; moto's 1,300 images wait until one is
    asked for; every zone that the catalog knows.
    """
    _configure_moto()
    reset_moto()


@functools.cache
def _configure_moto() -> None:
    """Once in a process."""
    from moto import backends, settings
    from moto.core import loaders, responses, utils
    from moto.core.config import default_user_config
    from moto.kms import models
    from moto.kms.utils import KeySpec, generate_private_key

    vars(utils)["create_loader"] = kept(loaders.create_loader)
    # Asked at every request; the classes, and the folders of moto, are the same each time.
    vars(responses)["method_names_from_class"] = functools.cache(utils.method_names_from_class)
    vars(backends)["list_of_moto_modules"] = functools.partial(tuple, tuple(backends.list_of_moto_modules()))
    # moto gives symmetric keys a key pair too, which takes a tenth of a second: one for all of them.
    shared_pair = functools.cache(generate_private_key)
    vars(models)["generate_private_key"] = lambda spec: (
        shared_pair(spec) if spec == KeySpec.SYMMETRIC_DEFAULT else generate_private_key(spec)
    )
    vars(botocore.session)["create_loader"] = kept(botocore.session.create_loader)
    default_user_config["lambda"] = {"use_docker": False}
    default_user_config["batch"] = {"use_docker": False}
    default_user_config["iam"] = {"load_aws_managed_policies": True}
    settings.ec2_load_default_amis = lambda: False
    import_moto_ec2()
    setattr(XFormedAttributePicker, "get_possible_keys", kept_possible_keys)  # noqa: B010 - mypy lets no method be assigned
    write_xml_quickly()
    _disable_instance_tracking()
    _reach_nobody()
    add_known_zones()


def _reach_nobody() -> None:
    """moto posts messages of topics, events and delivery streams to any URL, and can record requests in a file."""
    from moto.moto_api import recorder
    from moto.moto_api._internal.recorder import models

    def reject(_: Any, request: Any, **__: Any) -> Any:
        raise NotImplementedError(f"the local AWS sends nothing to another server, such as {request.url}")

    vars(models)["requests"].Session.send = reject
    vars(recorder)["_record_request"] = lambda *_, **__: None


def _disable_instance_tracking() -> None:
    """moto lists every object it ever made for a dashboard that is not served here, 60 MB for a cluster's layers."""
    from moto.core.common_models import BaseModel
    from moto.s3.models import FakeKey

    def new(made: type[BaseModel], *_arguments: Any, **_options: Any) -> BaseModel:
        return super(BaseModel, made).__new__(made)

    setattr(BaseModel, "__new__", new)  # noqa: B010 - mypy lets no method be assigned
    # moto relies on that list to close the files of objects in time.
    setattr(FakeKey, "__del__", FakeKey.dispose)  # noqa: B010 - a name that Python looks up on the class


def backends_in_use() -> list[Any]:
    """moto's backends of each service that has any, by account and Region."""
    from moto.core.base_backend import BackendDict

    in_use: Any = vars(BackendDict)["_instances"]  # moto tells nowhere else which backends there are
    return [service for service in in_use if service]


def reset_moto() -> None:
    """Forgets the state of every account and Region.

    moto's own reset fills every backend again before it drops it, which takes longer than a test. Here only those
    with something to let go of are asked to do so: files, threads.
    """
    from moto.core.base_backend import BackendDict, BaseBackend, backend_lock
    from moto.core.model_instances import reset_model_data

    in_use: Any = vars(BackendDict)["_instances"]  # moto tells nowhere else which backends there are
    with backend_lock:
        for service in in_use:
            for _, _, backend in service.iter_backends():
                if type(backend).reset is not BaseBackend.reset:
                    backend.reset()
            service.clear()
        in_use.clear()
    reset_model_data()


def add_known_zones() -> None:
    """Without it a subnet in ``euw2-az4``, which the rules admit, would be refused.

    What letter a zone has differs from account to account; a zone that moto lacks gets the next free one.
    """
    from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend, Zone

    for region in knowledge().regions.values():
        zones = RegionsAndZonesBackend.zones.setdefault(region.name, [])
        there = {zone.zone_id for zone in zones}
        names = _free_names(region.name, {zone.name for zone in zones})
        missing = (zone_id for zone_id in region.zone_ids if zone_id not in there)
        zones += [Zone(name, region.name, zone_id) for zone_id, name in zip(missing, names, strict=False)]


def is_region(name: str) -> bool:
    """Whether this local AWS has zones there: in the Regions of moto and of the catalog."""
    from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend

    return name in RegionsAndZonesBackend.zones


def _free_names(region: str, taken: set[str]) -> Iterable[str]:
    return (name for letter in string.ascii_lowercase if (name := f"{region}{letter}") not in taken)


_possible_keys = XFormedAttributePicker.get_possible_keys


class _Kind:
    """In place of an object, of which the names of its keys depend on the class alone."""


def kept_possible_keys(picker: XFormedAttributePicker, context: AttributePickerContext) -> tuple[str, ...]:
    """The names under which a serializer looks for a member, found once for each shape and class, in the same order.

    moto tells a shape its parent when it first comes to it.
    """
    placed = (context.shape, getattr(context.shape, "parent", None))
    return _keys_of_class(tuple(picker.alias_providers), placed, context.key, context.obj.__class__)


@functools.cache
def _keys_of_class(providers: tuple[Any, ...], placed: tuple[Any, Any], key: str, kind: type) -> tuple[str, ...]:
    of_class = type(kind.__name__, (_Kind,), {"Meta": kind.Meta} if hasattr(kind, "Meta") else {})()
    found = _possible_keys(XFormedAttributePicker(list(providers)), AttributePickerContext(of_class, key, placed[0]))
    return tuple(dict.fromkeys(found))


OFFERINGS = "instance_type_offerings"
ENDPOINT_PREFIX = {"metadata": {"endpointPrefix": "ec2"}}
"""All that is read of the model when Regions are listed."""


class OfferingsOfRegions(Mapping[str, list[dict[str, str]]]):
    """The instance types that a Region or its zones offer, by Region; read when they are needed."""

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
