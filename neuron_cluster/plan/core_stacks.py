"""Stacks that an environment can have whatever runs its workloads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.plan.stack_spec import Holds, StackSpec

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan

RESOURCES_OF_WORKSTATION = 4
"""Role, instance profile, launch template, instance; a home adds a policy, an idle limit an association,
and so do access points of EFS, and Lustre.

A test compares the number with templates.
"""


def _has_observability_stack(plan: ClusterPlan) -> bool:
    return plan.observability is not None and plan.observability.has_stack


def _resources_of_workstations(plan: ClusterPlan) -> int:
    extras = sum(
        (each.home is not None) + bool(each.idle_stop_minutes) + (each.efs is not None) + (each.lustre is not None)
        for each in plan.workstations
    )
    return RESOURCES_OF_WORKSTATION * len(plan.workstations) + extras


NETWORK = StackSpec(
    stack_key="network",
    purpose="VPC, subnets, endpoints, every security group",
    key="network",
    module="stacks.network",
    is_planned=lambda _: True,
)
STORAGE = StackSpec(
    stack_key="storage",
    purpose="everything that holds data, and its keys",
    key="storage",
    module="stacks.storage",
    is_planned=lambda plan: plan.storage is not None,
    after=(NETWORK.stack_key,),  # network interfaces of a file system are in its subnets and security groups
    holds=Holds.DATA,
)
WORKSTATIONS = StackSpec(
    stack_key="workstations",
    purpose="single EC2 instances for people; their home volumes are in storage",
    key="workstations",
    module="stacks.workstations",
    is_planned=lambda plan: bool(plan.workstations),
    after=(NETWORK.stack_key, STORAGE.stack_key),
    resources=_resources_of_workstations,
)
OBSERVABILITY = StackSpec(
    stack_key="observability",
    purpose="CloudWatch dashboard and alarms for Neuron devices, EFA and Lustre",
    key="observability",
    module="stacks.observability",
    is_planned=_has_observability_stack,
    after=(STORAGE.stack_key,),  # metrics of a file system have its id
)
BILLING = StackSpec(
    stack_key="billing",
    purpose="budgets of the environment and of teams, which notify people",
    key="budget",
    module="stacks.billing",
    is_planned=lambda plan: bool(plan.budgets),
    resources=lambda plan: len(plan.budgets),
)

BEFORE_PROVIDERS = (NETWORK, STORAGE)
AFTER_PROVIDERS = (WORKSTATIONS, OBSERVABILITY, BILLING)
"""Independent of providers, and after them in tables and in `destroy`, as since the first release."""
