"""RunInstances: refused where EC2 has no place for the machines."""

from __future__ import annotations

from typing import Any

from botocore.exceptions import ClientError

from neuron_cluster.local_aws.guards import guard
from neuron_cluster.local_aws.launch import launch_of
from neuron_cluster.local_aws.launch_request import launch_data
from neuron_cluster.local_aws.launches import require_launchable
from neuron_cluster.local_aws.operations.ec2_instance_types import require_instance_type
from neuron_cluster.local_aws.operations.ec2_placement_groups import require_placement_group
from neuron_cluster.local_aws.service import Call, ServiceError


@guard("ec2", "RunInstances")
def require_machines(call: Call) -> None:
    data = launch_data(call)
    least, most = int(call.parameters["MinCount"]), int(call.parameters["MaxCount"])
    if not 1 <= least <= most:
        words = f"Invalid minCount {least}: it must be at least 1 and at most maxCount ({most})."
        raise ServiceError("InvalidParameterValue", words)
    if data.get("InstanceType"):
        require_instance_type(data["InstanceType"])
    if not data.get("ImageId"):
        raise ServiceError("MissingParameter", "The request must contain the parameter ImageId")
    require_placement_group(call, data.get("Placement") or {})
    launch = launch_of(data, least, _subnets(call, data))
    if launch is not None:
        require_launchable(call, launch)


def _subnets(call: Call, data: dict[str, Any]) -> list[dict[str, Any]]:
    """The subnet of the primary interface; none when there is no such subnet, which EC2 then says itself."""
    named = [data.get("SubnetId"), *(each.get("SubnetId") for each in data.get("NetworkInterfaces", []))]
    subnet_id = next(filter(None, named), None)
    if subnet_id is None:
        return []
    try:
        return list(call.client("ec2").describe_subnets(SubnetIds=[subnet_id])["Subnets"])
    except ClientError:
        return []
