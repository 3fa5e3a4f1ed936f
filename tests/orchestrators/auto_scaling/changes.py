"""Auto Scaling groups in `diff` and `deploy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.changes.group_changes import GroupChanges
from neuron_cluster.changes.group_state import GroupProperties
from neuron_cluster.protocol.resource_kind import ResourceKind


def group_name(properties: Mapping[str, Any]) -> str:
    return str(properties["AutoScalingGroupName"]).rpartition("/")[2]


class AutoScalingChanges(GroupChanges):
    id = "auto_scaling"
    kind = ResourceKind(
        type="AWS::AutoScaling::AutoScalingGroup",
        noun="the Auto Scaling group",
        name=group_name,
        key=("auto_scaling", "groups"),
        is_item=True,
    )
    group_properties = GroupProperties(
        sizes=(("MinSize",), ("DesiredCapacity",), ("MaxSize",)),
        launch_template_id=("LaunchTemplate", "LaunchTemplateId"),
    )
