"""Compute node groups and the PCS cluster in `diff` and `deploy`."""

from __future__ import annotations

from neuron_cluster.changes.group_changes import GroupChanges
from neuron_cluster.changes.group_state import GroupProperties
from neuron_cluster.orchestrators.resource_kind import ResourceKind
from neuron_cluster.orchestrators.slurm.changes.resource_kinds import GROUP_KIND, SLURM_RESOURCE_KINDS

MINIMUM, MAXIMUM = ("ScalingConfiguration", "MinInstanceCount"), ("ScalingConfiguration", "MaxInstanceCount")


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
