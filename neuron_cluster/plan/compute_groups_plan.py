"""The plan of a section that has compute groups and nothing else."""

from __future__ import annotations

from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.provider_plan import ProviderPlan


class ComputeGroupsPlan(ProviderPlan, frozen=True, kw_only=True):
    """Its groups, in the order of the file."""

    groups: tuple[ComputeGroupPlan, ...]

    @property
    def compute_groups(self) -> tuple[ComputeGroupPlan, ...]:
        return self.groups
