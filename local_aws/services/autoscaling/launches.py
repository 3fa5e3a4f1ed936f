"""Launches of Auto Scaling groups: judged as RunInstances judges them, spread over zones, kept in the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from botocore.exceptions import ClientError
from moto.autoscaling.models import ASG_NAME_TAG, FakeAutoScalingGroup
from moto.core.exceptions import ServiceException

from local_aws.api_errors import api_error
from local_aws.contract import Call, ServiceError, call_of
from local_aws.launch import addresses_of, launch_of
from local_aws.launches import launch_most
from local_aws.running_capacity import Undescribed, undescribed
from local_aws.services.autoscaling.activities import record_failure
from local_aws.services.ec2.network_interfaces import free_addresses
from local_aws.services.overrides import override

TEMPLATE_TAGS = "aws:ec2launchtemplate"
Refused = ServiceError | ServiceException


@override(FakeAutoScalingGroup, "replace_autoscaling_group_instances")
def replace_instances(_original: Any, group: Any, count_needed: int, _tags: Mapping[str, str]) -> None:
    """moto launches all of them in the first subnet, with five members of the template, or raises an error."""
    _start(call_of(group.ec2_backend, "ec2", "RunInstances"), group, count_needed)


@override(FakeAutoScalingGroup, "set_desired_capacity")
def set_desired_capacity(original: Any, group: Any, new_capacity: int | None) -> None:
    """moto knows those instances alone that have been described."""
    call = call_of(group.ec2_backend, "ec2", "RunInstances")
    if not _rows(call, group):
        original(new_capacity)
        return
    group.desired_capacity = group.min_size if new_capacity is None else new_capacity
    difference = group.desired_capacity - running_in(call, group)
    if difference > 0:
        _start(call, group, difference)
    elif _release(call, group, -difference):
        original(group.desired_capacity)


def running_in(call: Call, group: Any) -> int:
    """How many instances the group has."""
    return len(group.active_instances()) + sum(row.count for row in _rows(call, group))


def launch_error_of(group: Any) -> tuple[str, str] | None:
    """Code and words of EC2 for the last launch of the group; None where it started all that was asked for."""
    found: tuple[str, str] | None = vars(group).get("refusal")
    return found


def _rows(call: Call, group: Any) -> list[Undescribed]:
    return undescribed(call.store, call.account, call.region).get(group.name, [])


def _release(call: Call, group: Any, count: int) -> int:
    """Ends so many of those that no call has described; how many are left to end."""
    table = undescribed(call.store, call.account, call.region)
    rows = table[group.name]
    for row in reversed(list(rows)):
        ended = min(row.count, count)
        row.count -= ended
        count -= ended
    table[group.name] = [row for row in rows if row.count]
    if not table[group.name]:
        del table[group.name]
    return count


def _start(call: Call, group: Any, count: int) -> None:
    """As many as EC2 has a place for.

    Where launches fail in a zone, another one is tried. Source:
    https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-availability-zone-balanced.html
    """
    refused: Refused | None = None
    subnets = _subnets(call, group)
    data = _data(group)
    while count and subnets:
        for subnet, share in list(_shares(call, group, subnets, count)):
            started, why = _start_in(call, group, {**data, **_in_subnet(data, subnet.id)}, subnet, share)
            count -= started
            if why is not None:
                refused = why
                subnets.remove(subnet)
    group.refusal = _words(refused) if count and refused is not None else None
    if group.refusal is not None:
        record_failure(group, group.refusal[1])


def _start_in(
    call: Call, group: Any, request: Mapping[str, Any], subnet: Any, count: int
) -> tuple[int, Refused | None]:
    room = free_addresses(subnet.ec2_backend, subnet) // addresses_of(request)
    why: Refused | None = api_error("ec2.no_free_address", subnet_id=subnet.id) if room < count else None
    if room < 1:
        return 0, why
    zone = {"AvailabilityZoneId": subnet.availability_zone_id, "AvailabilityZone": subnet.availability_zone}
    launch = launch_of(request, min(count, room), [zone])
    if launch is None:
        return 0, api_error("ec2.instance_type_required")
    places, refused = launch_most(call, launch)
    rows = undescribed(call.store, call.account, call.region).setdefault(group.name, [])
    rows.extend(Undescribed(request, launch, subnet.id, where, number) for where, number in places.items())
    if not rows:
        del undescribed(call.store, call.account, call.region)[group.name]
    return sum(places.values()), refused or why


def _shares(call: Call, group: Any, subnets: list[Any], count: int) -> Iterator[tuple[Any, int]]:
    """The new instances by subnet, so that all subnets end with the same number as far as that goes."""
    has = {subnet.id: 0 for subnet in subnets}
    placed = [each.instance.subnet_id for each in group.active_instances()]
    placed += [row.subnet_id for row in _rows(call, group) for _ in range(row.count)]
    for subnet_id in placed:
        if subnet_id in has:
            has[subnet_id] += 1
    level = -(-(sum(has.values()) + count) // len(subnets))
    for subnet in sorted(subnets, key=lambda each: has[each.id]):
        share = min(count, max(level - has[subnet.id], 0))
        count -= share
        if share:
            yield subnet, share


def _subnets(call: Call, group: Any) -> list[Any]:
    """Returns the subnets that the group names, else the default ones of its zones."""
    backend = call.moto_backend("ec2")
    if group.vpc_zone_identifier:
        return [backend.get_subnet(each) for each in group.vpc_zone_identifier.split(",")]
    default = backend.get_default_subnets()
    return [default[zone] for zone in group.availability_zones if zone in default]


def _in_subnet(data: Mapping[str, Any], subnet_id: str) -> dict[str, Any]:
    interfaces = [{**each, "SubnetId": subnet_id} for each in data.get("NetworkInterfaces", [])]
    return {"NetworkInterfaces": interfaces} if interfaces else {"SubnetId": subnet_id}


def _data(group: Any) -> dict[str, Any]:
    """Returns the parameters of the group for RunInstances, without the place."""
    tags = {**group.get_propagated_tags(), ASG_NAME_TAG: group.name}
    template = group.ec2_launch_template
    if template is None:
        data = _of_configuration(group.launch_config)
    else:
        version = template.get_version(group.launch_template_version)
        data = dict(version.data)
        tags |= {f"{TEMPLATE_TAGS}:id": template.id, f"{TEMPLATE_TAGS}:version": str(version.number)}
    if group.placement_group:
        data["Placement"] = {**data.get("Placement", {}), "GroupName": group.placement_group}
    others = [each for each in data.get("TagSpecifications", []) if each["ResourceType"] != "instance"]
    own = [each for each in data.get("TagSpecifications", []) if each["ResourceType"] == "instance"]
    tags = {tag["Key"]: tag["Value"] for each in own for tag in each["Tags"]} | tags
    pairs = [{"Key": key, "Value": value} for key, value in tags.items()]
    return {**data, **_type(group), "TagSpecifications": [*others, {"ResourceType": "instance", "Tags": pairs}]}


def _type(group: Any) -> dict[str, str]:
    """The first type of a mixed instances policy, as moto takes it."""
    policy = group.mixed_instances_policy or {}
    overrides = policy.get("LaunchTemplate", {}).get("Overrides", [])
    return {"InstanceType": overrides[0]["InstanceType"]} if overrides and "InstanceType" in overrides[0] else {}


def _of_configuration(configuration: Any) -> dict[str, Any]:
    given = {
        "ImageId": configuration.image_id,
        "InstanceType": configuration.instance_type,
        "KeyName": configuration.key_name,
        "SecurityGroupIds": configuration.security_groups,
        "BlockDeviceMappings": configuration.block_device_mapping_dict,
        "EbsOptimized": configuration.ebs_optimized,
        "UserData": configuration.user_data,
    }
    return {name: value for name, value in given.items() if value}


def _words(refused: Refused | ClientError) -> tuple[str, str]:
    return str(refused.code), str(refused.message)
