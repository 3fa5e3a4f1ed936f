"""Instances: what their launch template says is done, to all of them or to none."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

from moto.core.responses import ActionResult
from moto.core.types import Base64EncodedString
from moto.ec2.models.instances import Instance, Reservation
from moto.ec2.responses.instances import InstanceResponse

from local_aws.launch import launch_of, under_request
from local_aws.services.ec2.images import known_image
from local_aws.services.ec2.instance_interfaces import place
from local_aws.services.ec2.launch_seam import evaluated
from local_aws.services.ec2.launch_volumes import with_root
from local_aws.services.ec2.launches import ResolvedLaunch, launched_before, remember, resolved_launch
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


@override(InstanceResponse, "run_instances")
def run_instances(original: Any, response: Any) -> Any:
    """moto takes five members of the template; the rest of the data goes under the request here."""
    backend, asked = response.ec2_backend, response.params
    if before := launched_before(backend, asked):
        return ActionResult(before)
    if template := asked.get("LaunchTemplate"):
        version = backend._get_template_from_args(template)  # noqa: SLF001 - moto's name for "which version"
        response.params = _under(version.data, response.params)
    response.params = _with_resolved_launch(response.params, resolved_launch.get())
    image = known_image(backend, response.params["ImageId"])
    if mappings := with_root(image, response.params.get("BlockDeviceMappings", [])):
        response.params = {**response.params, "BlockDeviceMappings": mappings}
    given = {each.get("NetworkInterfaceId") for each in response.params.get("NetworkInterfaces", [])}
    with all_or_nothing(backend, given), evaluated():
        answer = original()
        for instance in answer.result.instances:
            complete(instance, response.params)
    remember(answer.result, asked)
    return answer


def _with_resolved_launch(request: Mapping[str, Any], found: ResolvedLaunch) -> dict[str, Any]:
    """moto starts the least number, and without a subnet in a zone of its own choice."""
    interfaces = [dict(each) for each in request.get("NetworkInterfaces", [])]
    if found.subnet_id is None:
        return {**request, "MinCount": found.count}
    for each in interfaces:
        each.setdefault("SubnetId", found.subnet_id)
    where = {"NetworkInterfaces": interfaces} if interfaces else {"SubnetId": found.subnet_id}
    return {**request, **where, "MinCount": found.count}


def complete(instance: Any, request: Mapping[str, Any]) -> None:
    """Gives the instance what moto drops of the request."""
    placement = request.get("Placement", {})
    instance.launch = launch_of(request, 1, [])
    instance.placement.group_name = placement.get("GroupName", "")
    instance.disable_api_termination = bool(request.get("DisableApiTermination"))  # which moto drops
    zones = instance.ec2_backend.describe_availability_zones()
    instance.placement.availability_zone_id = next(z.zone_id for z in zones if z.name == instance.placement.zone)
    instance.placement.tenancy = placement.get("Tenancy", "default")
    instance.capacity_reservation_id = instance.launch.reservation_id if instance.launch is not None else None
    # moto calls an instance of any market a spot one.
    instance.lifecycle = request.get("InstanceMarketOptions", {}).get("MarketType")
    profile = request.get("IamInstanceProfile")
    if profile and instance.id not in instance.ec2_backend.iam_instance_profile_associations:
        # moto gives it to the first machine alone.
        instance.ec2_backend.associate_iam_instance_profile(instance.id, profile.get("Name"), profile.get("Arn"))
    _delete_with_instance(instance, request.get("NetworkInterfaces", []))
    _speed_up(instance, request.get("BlockDeviceMappings", []))


def _delete_with_instance(instance: Any, specifications: list[dict[str, Any]]) -> None:
    """EC2 takes an interface that it made at the launch away with the instance, unless told otherwise."""
    kept = {place(each) for each in specifications if each.get("DeleteOnTermination") is False}
    given = {place(each) for each in specifications if "NetworkInterfaceId" in each}
    for index, interface in instance.nics.items():
        interface.delete_on_termination = index not in kept | given


def _speed_up(instance: Any, mappings: list[dict[str, Any]]) -> None:
    """moto makes the volumes of a launch without what is asked for beyond their size and type."""
    for mapping in mappings:
        attached = instance.block_device_mapping.get(mapping["DeviceName"])
        asked = mapping.get("Ebs", {})
        if attached is not None:
            volume = instance.ec2_backend.volumes[attached.volume_id]
            volume.iops = asked.get("Iops", volume.iops)
            volume.throughput = asked.get("Throughput", volume.throughput)


def _under(data: Mapping[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the request, completed by the data of the template."""
    merged = under_request(data, request)
    if isinstance(merged.get("UserData"), Base64EncodedString):  # as moto keeps it in a template; a request has text
        merged["UserData"] = str(merged["UserData"])
    # moto puts the template's instance tags on by itself; of the request it reads them here.
    own = request.get("TagSpecifications", [])
    named = {each["ResourceType"] for each in own}
    merged["TagSpecifications"] = [
        *own,
        *(each for each in data.get("TagSpecifications", []) if each["ResourceType"] not in named),
    ]
    return merged
