"""RunInstances is all or nothing: what a launch that fails had made is taken back, and nothing of another launch."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from contextvars import ContextVar
from typing import Any

from moto.ec2.models.instances import Instance, Reservation

from local_aws.services.overrides import override

_made: ContextVar[list[Any]] = ContextVar("_made")
"""moto's reservation and instances of the launch in hand. Others may be launched in other threads meanwhile."""


@override(Reservation, "__init__")
def reservation(original: Any, begun: Any, *arguments: Any, **options: Any) -> None:
    original(*arguments, **options)
    _made.get([]).append(begun)


@override(Instance, "attach_eni")
def attach_interface(original: Any, instance: Any, *arguments: Any, **options: Any) -> Any:
    """The first thing that an instance gets."""
    _made.get([]).append(instance)
    return original(*arguments, **options)


@contextlib.contextmanager
def all_or_nothing(backend: Any, given_interfaces: Collection[str]) -> Iterator[None]:
    """When the block fails, its machines go with their interfaces and volumes; what was given to them is free again."""
    made: list[Any] = []
    token = _made.set(made)
    try:
        yield
    except BaseException:
        for each in made:
            backend.reservations.pop(each.id, None)
            _take_back(backend, each, given_interfaces)
        raise
    finally:
        _made.reset(token)


def _take_back(backend: Any, machine: Any, given_interfaces: Collection[str]) -> None:
    for interface in list(backend.enis.values()):
        if interface.instance is machine:
            machine.detach_eni(interface)
            if interface.id not in given_interfaces:
                del backend.enis[interface.id]
    for volume in list(backend.volumes.values()):
        if volume.attachment is not None and volume.attachment.instance is machine:
            del backend.volumes[volume.id]
            backend.tags.pop(volume.id, None)
    for subnets in backend.subnets.values():
        for subnet in subnets.values():
            held = subnet._subnet_ips  # noqa: SLF001 - moto's table of who has which address
            for address in [each for each, holder in held.items() if holder is machine]:
                del held[address]
    backend.iam_instance_profile_associations.pop(machine.id, None)
    backend.tags.pop(machine.id, None)
