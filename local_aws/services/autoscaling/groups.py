"""Auto Scaling groups: names and sizes that fit, a launch template that EC2 takes, no deletion under instances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.guards import guard
from local_aws.service import Call, ServiceError

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
    """Source: hashicorp/terraform#17489 has code and words for a name that is taken."""
    given, name = call.parameters, call.parameters["AutoScalingGroupName"]
    if name in _groups(call):
        words = f"AutoScalingGroup by this name already exists - A group with the name {name} already exists"
        raise ServiceError("AlreadyExists", words)
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
    """Source: inferred: the words."""
    group, wanted = _group(call), call.parameters["DesiredCapacity"]
    for is_beyond, side, bound in (
        (wanted > group.max_size, "above max", group.max_size),
        (wanted < group.min_size, "below min", group.min_size),
    ):
        if is_beyond:
            words = f"New SetDesiredCapacity value {wanted} is {side} value {bound} for the AutoScalingGroup."
            raise ServiceError("ValidationError", words)


@guard("autoscaling", "DeleteAutoScalingGroup")
def require_empty_group(call: Call) -> None:
    """Source: ansible/ansible#8503 has code and words."""
    if _group(call).instance_states and not call.parameters.get("ForceDelete"):
        words = "You cannot delete an AutoScalingGroup while there are instances or pending Spot instance request(s) "
        raise ServiceError("ResourceInUse", f"{words}still in the group.")


def _groups(call: Call) -> Mapping[str, Any]:
    found: Mapping[str, Any] = call.moto_backend("autoscaling").autoscaling_groups
    return found


def _group(call: Call) -> Any:
    """Source: getmoto/moto#7983 has the words of UpdateAutoScalingGroup."""
    name = call.parameters["AutoScalingGroupName"]
    if name not in _groups(call):
        raise ServiceError("ValidationError", "AutoScalingGroup name not found - null")
    return _groups(call)[name]


def _require_sizes(minimum: int, maximum: int, desired: int | None) -> None:
    if minimum > maximum:
        # Source: inferred: the words
        words = f"Max bound, {maximum}, must be greater than or equal to min bound, {minimum}"
        raise ServiceError("ValidationError", words)
    if desired is not None and not minimum <= desired <= maximum:
        # Source: convox/praxis#258 has the words, banzaicloud/pipeline#3017 the code
        words = f"Desired capacity:{desired} must be between the specified min size:{minimum} and max size:{maximum}"
        raise ServiceError("ValidationError", words)


def _require_template(call: Call, given: Mapping[str, Any]) -> None:
    """EC2 takes it, as a dry run of RunInstances shows, whether or not it has a place for the instances.

    Source: eksctl-io/eksctl#1989 has code and words, for a key pair
    """
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
            words = f"You must use a valid fully-formed launch template. {refused['Message']}"
            raise ServiceError("ValidationError", words) from error
