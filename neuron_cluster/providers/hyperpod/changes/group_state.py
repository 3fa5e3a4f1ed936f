"""An instance group as a template describes it: an item of the list of its cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.changes.effects import normal_text

GROUPS = "InstanceGroups"
NAME = "InstanceGroupName"


class GroupState(Struct, frozen=True):
    properties: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The user's name: without the hash that changes with what replaces the group."""
        return str(self.properties[NAME]).rpartition("-")[0]

    @property
    def instance_type(self) -> str:
        return str(self.properties["InstanceType"])

    @property
    def desired(self) -> int:
        return int(self.properties["InstanceCount"])

    @property
    def training_plan(self) -> str | None:
        plan = self.properties.get("TrainingPlanArn")
        return None if plan is None else normal_text(plan)

    @property
    def capacity_type(self) -> str:
        """``ON_DEMAND``, ``SPOT`` or ``TRAINING_PLAN``."""
        if self.training_plan is not None:
            return "TRAINING_PLAN"
        return "SPOT" if "Spot" in self.properties.get("CapacityRequirements", {}) else "ON_DEMAND"

    @property
    def node_type(self) -> str:
        """``Controller``, ``Login`` or ``Compute`` of Slurm; empty with EKS."""
        return str(self.properties.get("SlurmConfig", {}).get("NodeType", ""))

    @property
    def script(self) -> str:
        """Where the life cycle script of the group is; comparable with that of another template."""
        return normal_text(self.properties.get("LifeCycleConfig", {}))

    @property
    def description(self) -> str:
        """``4 x ml.trn2.48xlarge, on demand``."""
        return f"{self.desired} x {self.instance_type}, {self.capacity_type.lower().replace('_', ' ')}"


def groups_in(properties: Mapping[str, Any]) -> dict[str, GroupState]:
    """The groups of a cluster by the user's name of each."""
    states = (GroupState(group) for group in properties.get(GROUPS, ()))
    return {state.name: state for state in states}
