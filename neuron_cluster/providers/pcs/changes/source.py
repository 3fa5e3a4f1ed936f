"""Compute node groups and the PCS cluster in `diff` and `deploy`."""

from __future__ import annotations

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.group_changes import GroupChanges
from neuron_cluster.changes.group_state import GroupProperties, GroupState, text_of
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.protocol.resource_kind import ResourceKind
from neuron_cluster.providers.pcs.changes.resource_kinds import GROUP_KIND, SLURM_RESOURCE_KINDS
from neuron_cluster.providers.pcs.plan.slurm_plan import PURCHASE_OPTIONS

MINIMUM, MAXIMUM = ("ScalingConfiguration", "MinInstanceCount"), ("ScalingConfiguration", "MaxInstanceCount")
CAPACITY_TYPES = {name: kind.upper() for kind, name in PURCHASE_OPTIONS.items()}


class SlurmChanges(GroupChanges):
    """PCS has no desired number of instances: it starts the minimum, and more for jobs."""

    id = "slurm"
    kind = GROUP_KIND
    group_properties = GroupProperties(
        sizes=(MINIMUM, MINIMUM, MAXIMUM), launch_template_id=("CustomLaunchTemplate", "TemplateId")
    )

    # Source: https://docs.aws.amazon.com/pcs/latest/userguide/ (updates of compute node groups).
    rolling = ("AmiId", "CustomLaunchTemplate", "NodeLifecycleActions", "SlurmConfiguration")
    pace = "when their jobs end, login nodes with the sessions on them"

    def resource_kinds(self) -> tuple[ResourceKind, ...]:
        return SLURM_RESOURCE_KINDS

    def state(self, stacks: StackSet, address: Address) -> GroupState:
        """The group has the purchase option: the launch template of Spot Instances does not."""
        group = super().state(stacks, address)
        option = text_of(group.properties.get("PurchaseOption")) or ""
        group.capacity_type = CAPACITY_TYPES.get(option, group.capacity_type)
        return group
