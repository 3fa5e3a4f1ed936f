"""Instances: what their launch template says is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moto.core.types import Base64EncodedString
from moto.ec2.responses.instances import InstanceResponse

from neuron_cluster.local_aws.launch import launch_of
from neuron_cluster.local_aws.launch_request import under_request
from neuron_cluster.local_aws.operations.ec2_instance_interfaces import place
from neuron_cluster.local_aws.operations.overrides import override


@override(InstanceResponse, "run_instances")
def run_instances(original: Any, response: Any) -> Any:
    """moto takes five members of the template; the rest of the data goes under the request here."""
    template = response.params.get("LaunchTemplate")
    if template:
        version = response.ec2_backend._get_template_from_args(template)  # noqa: SLF001 - moto's name for "which version"
        response.params = _under(version.data, response.params)
    answer = original()
    placement = response.params.get("Placement", {})
    launch = launch_of(response.params, 1, [])
    for instance in answer.result.instances:
        instance.placement.group_name = placement.get("GroupName", "")
        instance.disable_api_termination = bool(response.params.get("DisableApiTermination"))  # which moto drops
        instance.placement.tenancy = placement.get("Tenancy", "default")
        instance.launch = launch
        instance.capacity_reservation_id = launch.reservation_id if launch is not None else None
        # moto calls an instance of any market a spot one.
        instance.lifecycle = response.params.get("InstanceMarketOptions", {}).get("MarketType")
        _delete_with_instance(instance, response.params.get("NetworkInterfaces", []))
        _speed_up(instance, response.params.get("BlockDeviceMappings", []))
    return answer


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
