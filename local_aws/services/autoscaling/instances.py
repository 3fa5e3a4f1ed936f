"""Instances of Auto Scaling groups that a call is about to describe: moto gets those that it does not have yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.autoscaling.models import InstanceState
from moto.core.utils import get_service_model
from moto.ec2.utils import parse_user_data

from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.running_capacity import Undescribed, undescribed
from local_aws.services.autoscaling.activities import record_launch
from local_aws.services.ec2.images import known_image
from local_aws.services.ec2.instances import complete
from local_aws.services.ec2.launch_seam import evaluated
from local_aws.services.ec2.launch_volumes import with_root

DESCRIBING = (
    "DescribeInstances",
    "DescribeInstanceStatus",
    "DescribeNetworkInterfaces",
    "DescribeTags",
    "DescribeVolumes",
    "DescribeVolumeStatus",
    "DescribeVolumesModifications",
)
"""Calls of EC2 whose answers name instances, or what they have, to who named none: any other has to know an id."""


@guard("ec2", *DESCRIBING, first=True)
@guard("autoscaling", *get_service_model("autoscaling").operation_names, first=True)
def describe_all(call: Call) -> None:
    """Makes the call describe all instances that are launched before it."""
    table = undescribed(call.store, call.account, call.region)
    groups = call.moto_backend("autoscaling").autoscaling_groups
    for name in list(table):
        for row in table.pop(name):
            instances = _started(call.moto_backend("ec2"), row)
            for instance in instances:
                _enter(groups[name], instance)


def _started(backend: Any, row: Undescribed) -> list[Any]:
    """The row as instances of moto. Nothing is checked: they run."""
    request, image = row.request, known_image(backend, row.request["ImageId"])
    mappings = with_root(image, request.get("BlockDeviceMappings", []))
    with evaluated():
        found = backend.run_instances(
            request["ImageId"],
            row.count,
            parse_user_data(str(request["UserData"])) if request.get("UserData") else None,
            list(request.get("SecurityGroups", [])),
            **_arguments(backend, request),
            **({"block_device_mappings": mappings} if mappings else {}),
        )
    for instance in found.instances:
        complete(instance, request)
        instance.capacity_reservation_id = row.reservation_id
    return list(found.instances)


def _arguments(backend: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    """As moto's own operation reads them from a request."""
    specifications = request.get("TagSpecifications", [])
    return {
        "instance_type": request["InstanceType"],
        "is_instance_type_default": False,
        "region_name": backend.region_name,
        "subnet_id": request.get("SubnetId"),
        "key_name": request.get("KeyName"),
        "security_group_ids": list(request.get("SecurityGroupIds", [])),
        "nics": [dict(each) for each in request.get("NetworkInterfaces", [])],
        "tags": {each["ResourceType"]: {tag["Key"]: tag["Value"] for tag in each["Tags"]} for each in specifications},
        "ebs_optimized": bool(request.get("EbsOptimized")),
        "disable_api_stop": bool(request.get("DisableApiStop")),
        "instance_initiated_shutdown_behavior": request.get("InstanceInitiatedShutdownBehavior"),
        "monitoring_state": "enabled" if (request.get("Monitoring") or {}).get("Enabled") else "disabled",
        "metadata_options": dict(request.get("MetadataOptions") or {}),
    }


def _enter(group: Any, instance: Any) -> None:
    instance.autoscaling_group = group
    group.instance_states.append(
        InstanceState(instance, protected_from_scale_in=group.new_instances_protected_from_scale_in)
    )
    record_launch(group, instance.id)
