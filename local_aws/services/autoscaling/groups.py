"""Auto Scaling groups: names and sizes that fit, templates that EC2 takes, no deletion under instances; their hooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError
from moto.autoscaling.responses import AutoScalingResponse
from moto.core.utils import camelcase_to_underscores

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.overrides import override

LATER = (
    "DryRunOperation",
    "InsufficientFreeAddressesInSubnet",
    "InsufficientInstanceCapacity",
    "InvalidCapacityReservation",
    "MaxSpotInstanceCountExceeded",
    "ReservationCapacityExceeded",
    "Unsupported",
    "VcpuLimitExceeded",
)
"""How the codes begin that a launch is refused with for want of a place: the group is made, its launches fail."""


@guard("autoscaling", "CreateAutoScalingGroup")
def require_new_group(call: Call) -> None:
    given, name = call.parameters, call.parameters["AutoScalingGroupName"]
    if name in _groups(call):
        raise api_error("autoscaling.exists", name=name)
    _require_sizes(given["MinSize"], given["MaxSize"], given.get("DesiredCapacity"))
    _require_template(call, given)


@guard("autoscaling", "UpdateAutoScalingGroup")
def require_fitting_update(call: Call) -> None:
    given, group = call.parameters, _group(call)
    desired = given.get("DesiredCapacity")
    _require_sizes(given.get("MinSize", group.min_size), given.get("MaxSize", group.max_size), desired)
    _require_template(call, {"VPCZoneIdentifier": group.vpc_zone_identifier or "", **given})


@guard("autoscaling", "SetDesiredCapacity")
def require_capacity_within_sizes(call: Call) -> None:
    group, wanted = _group(call), call.parameters["DesiredCapacity"]
    for is_beyond, side, bound in (
        (wanted > group.max_size, "above max", group.max_size),
        (wanted < group.min_size, "below min", group.min_size),
    ):
        if is_beyond:
            raise api_error("autoscaling.desired_beyond_bounds", wanted=wanted, side=side, bound=bound)


@guard("autoscaling", "DeleteAutoScalingGroup")
def require_empty_group(call: Call) -> None:
    if _group(call).instance_states and not call.parameters.get("ForceDelete"):
        raise api_error("autoscaling.has_instances")


def _groups(call: Call) -> Mapping[str, Any]:
    found: Mapping[str, Any] = call.moto_backend("autoscaling").autoscaling_groups
    return found


def _group(call: Call) -> Any:
    name = call.parameters["AutoScalingGroupName"]
    if name not in _groups(call):
        raise api_error("autoscaling.not_found")
    return _groups(call)[name]


def _require_sizes(minimum: int, maximum: int, desired: int | None) -> None:
    if minimum > maximum:
        raise api_error("autoscaling.maximum_below_minimum", maximum=maximum, minimum=minimum)
    if desired is not None and not minimum <= desired <= maximum:
        raise api_error("autoscaling.desired_outside_sizes", desired=desired, minimum=minimum, maximum=maximum)


def _require_template(call: Call, given: Mapping[str, Any]) -> None:
    """EC2 takes it, as a dry run of RunInstances shows, whether or not it has a place for the instances."""
    policy = given.get("MixedInstancesPolicy", {}).get("LaunchTemplate", {})
    template = given.get("LaunchTemplate") or policy.get("LaunchTemplateSpecification")
    if not template:
        return
    types = [each["InstanceType"] for each in policy.get("Overrides", []) if "InstanceType" in each]
    subnet_id = given.get("VPCZoneIdentifier", "").partition(",")[0]
    request = {"LaunchTemplate": dict(template), "DryRun": True, "MinCount": 1, "MaxCount": 1}
    request |= {"InstanceType": types[0]} if types else {}
    try:
        call.client("ec2").run_instances(**request, **({"SubnetId": subnet_id} if subnet_id else {}))
    except ClientError as error:
        refused = error.response["Error"]
        if not refused["Code"].startswith(LATER):
            raise api_error("autoscaling.launch_template", message=refused["Message"]) from error


MEMBERS = ("NotificationMetadata", "NotificationTargetARN", "RoleARN")


@override(AutoScalingResponse, "put_lifecycle_hook")
def put_lifecycle_hook(original: Any, response: Any) -> Any:
    result = original()
    group, name = response._get_param("AutoScalingGroupName"), response._get_param("LifecycleHookName")  # noqa: SLF001 - as moto does
    hook = response.autoscaling_backend.lifecycle_hooks[f"{group}_{name}"]
    for member in MEMBERS:
        setattr(hook, camelcase_to_underscores(member), response._get_param(member))  # noqa: SLF001 - as moto does
    return result
