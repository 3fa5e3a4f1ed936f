"""The Auto Scaling group and the launch template that EKS makes for each managed node group, in the user's account.

Source: https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html; the tags of group and nodes, as users
read them: https://gist.github.com/otterley/28d488df145d9b1e54d7d17b0aa2b8dc and https://pastebin.com/FG8hZS4Y
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.launch import SPOT, named_groups
from local_aws.running_capacity import undescribed
from local_aws.services.autoscaling.launches import running_in
from local_aws.services.eks.launch_template import image_of
from local_aws.services.eks.tables import Row

OWNED = "owned"


def group_name(group: Row) -> str:
    return str(group["resources"]["autoScalingGroups"][0]["name"])


def auto_scaling_group(call: Call, group: Row) -> Any:
    """moto's; without it, as when a user deleted it, KeyError."""
    return call.moto_backend("autoscaling").autoscaling_groups[group_name(group)]


def node_data(call: Call, cluster: Row, group: Row, data: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the launch data of nodes: the user's template, completed by the node group."""
    image_id = image_of(call, data, group["amiType"], group["version"])
    completed = {
        **data,
        "ImageId": image_id or f"ami-{hashlib.sha256(group['amiType'].encode()).hexdigest()[:17]}",
        "InstanceType": (group.get("instanceTypes") or [data.get("InstanceType")])[0],
    }
    if group["capacityType"] == "SPOT":
        completed["InstanceMarketOptions"] = {"MarketType": SPOT}
    if not named_groups(data):
        own = [cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]]
        interfaces = data.get("NetworkInterfaces", [])
        members = {"NetworkInterfaces": [{**each, "Groups": own} for each in interfaces]}
        completed |= members if interfaces else {"SecurityGroupIds": own}
    return completed


def create_group(call: Call, cluster: Row, group: Row, data: Mapping[str, Any]) -> None:
    """Without instances. ``data`` is that of ``node_data``."""
    name, sizes = group_name(group), group["scalingConfig"]
    tags = _tags(cluster["name"], group["nodegroupName"])
    own = {key: value for key, value in tags.items() if key.startswith("eks:")}
    template = call.moto_backend("ec2").create_launch_template(
        _template_name(group), _release(group), dict(data), {"launch-template": own}
    )
    call.moto_backend("autoscaling").create_auto_scaling_group(
        name=name,
        availability_zones=[],
        desired_capacity=0,
        max_size=sizes["maxSize"],
        min_size=sizes["minSize"],
        launch_config_name="",
        launch_template={"LaunchTemplateId": template.id, "Version": "1"},
        vpc_zone_identifier=",".join(group["subnets"]),
        default_cooldown=None,
        health_check_period=None,
        health_check_type=None,
        load_balancers=[],
        target_group_arns=[],
        placement_group=None,
        termination_policies=[],
        tags=[{"Key": key, "Value": value, "PropagateAtLaunch": True} for key, value in tags.items()],
    )


def replace_instances(call: Call, group: Row, data: Mapping[str, Any]) -> None:
    """Ends the instances when the launch template changes; the next ones start from its new version."""
    made = auto_scaling_group(call, group)
    template = made.ec2_launch_template
    last = template.latest_version()
    if (last.data, last.description) == (dict(data), _release(group)):
        return
    made.set_desired_capacity(0)
    made.launch_template_version = str(template.create_version(dict(data), _release(group)).number)
    made.provided_launch_template_version = made.launch_template_version


def scale_group(call: Call, group: Row, count: int) -> int:
    """Sets the sizes; how many instances the group then has."""
    made = auto_scaling_group(call, group)
    made.min_size, made.max_size = group["scalingConfig"]["minSize"], group["scalingConfig"]["maxSize"]
    made.set_desired_capacity(count)
    return running_in(call, made)


def delete_group(call: Call, group: Row) -> None:
    groups = call.moto_backend("autoscaling").autoscaling_groups
    if group_name(group) in groups:
        scale_group(call, group, 0)
        del groups[group_name(group)]
    templates = call.moto_backend("ec2")
    if _template_name(group) in templates.launch_template_name_to_ids:
        templates.delete_launch_template(_template_name(group), None)


def reservations_of(call: Call, group: Row) -> set[str | None]:
    """Ids of the capacity reservations that instances of the group run in; None for those in none."""
    made = auto_scaling_group(call, group)
    described = {getattr(each.instance, "capacity_reservation_id", None) for each in made.active_instances()}
    rows = undescribed(call.store, call.account, call.region).get(made.name, [])
    return described | {row.reservation_id for row in rows}


def _release(group: Row) -> str:
    """Nodes of another AMI release are others, though the image here is that of the newest one."""
    return str(group.get("releaseVersion", ""))


def _template_name(group: Row) -> str:
    return f"eks-{str(group['nodegroupArn']).rpartition('/')[2]}"


def _tags(cluster: str, name: str) -> dict[str, str]:
    return {
        "eks:cluster-name": cluster,
        "eks:nodegroup-name": name,
        "k8s.io/cluster-autoscaler/enabled": "true",
        f"k8s.io/cluster-autoscaler/{cluster}": OWNED,
        f"kubernetes.io/cluster/{cluster}": OWNED,
    }
