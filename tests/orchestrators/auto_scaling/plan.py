"""Its part of the plan, and its stack."""

from __future__ import annotations

from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.plan.compute_groups_plan import ComputeGroupsPlan
from neuron_cluster.plan.core_stacks import NETWORK
from neuron_cluster.plan.stack_spec import StackSpec


class ScaledGroupPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    noun = "Auto Scaling group"


class AutoScalingPlan(ComputeGroupsPlan, frozen=True, kw_only=True):
    """Its groups and nothing else."""


STACK = StackSpec(
    part="machines",
    purpose="Auto Scaling groups",
    key="auto_scaling",
    module="tests.orchestrators.auto_scaling.stack",
    is_planned=lambda plan: plan.orchestrator(AutoScalingPlan) is not None,
    after=(NETWORK.part,),
)
