"""A node group as one state of the stacks has it, its launch template included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Address
from local_kubernetes.model.names import GROUP_LABEL
from neuron_cluster.changes.group_state import GroupProperties, GroupState, text_of
from neuron_cluster.changes.stack_set import StackSet

NODE_GROUP = "AWS::EKS::Nodegroup"
SCALING = "ScalingConfig"
PROPERTIES = GroupProperties(
    sizes=((SCALING, "MinSize"), (SCALING, "DesiredSize"), (SCALING, "MaxSize")),
    launch_template_id=("LaunchTemplate", "Id"),
)


class NodeGroupState(GroupState):
    """A node group as the templates describe it."""

    def __init__(self, stacks: StackSet, address: Address) -> None:
        super().__init__(stacks, address, PROPERTIES, group_name(stacks.properties(address)))
        self.capacity_type = text_of(self.properties.get("CapacityType")) or "ON_DEMAND"

    @property
    def pace(self) -> str:
        """How many nodes go at a time."""
        at_once = text_of(value_at(self.properties, ("UpdateConfig", "MaxUnavailable"))) or "1"
        pace = "one by one" if at_once == "1" else f"{at_once} at a time"
        ends_first = value_at(self.properties, ("UpdateConfig", "UpdateStrategy")) == "MINIMAL"
        return f"{pace}, each ended before its successor starts" if ends_first else pace


def group_name(properties: Mapping[str, Any]) -> str:
    """The group's name in the file; empty where the template does not have it."""
    labels = properties.get("Labels")
    label = labels.get(GROUP_LABEL) if isinstance(labels, dict) else None
    return text_of(label) or text_of(properties.get("NodegroupName")) or ""
