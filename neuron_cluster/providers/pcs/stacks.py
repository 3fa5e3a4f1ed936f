"""Rows of a PCS cluster in the stack table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.stack_spec import Holds, StackSpec
from neuron_cluster.providers.pcs.image.stack_key import IMAGE_STACK
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan

RESOURCES_OF_GROUP = 2
"""Launch template and compute node group; a test compares these numbers with templates."""
RESOURCES_OF_NODES_STACK = 2
"""Role and instance profile of the nodes."""


def _resources_of_nodes(plan: ClusterPlan) -> int:
    slurm = plan.provider(SlurmPlan)
    if slurm is None:
        return 0
    groups = slurm.compute_groups
    placed = sum(group.machine.placement_strategy is not None for group in groups)
    return RESOURCES_OF_NODES_STACK + RESOURCES_OF_GROUP * len(groups) + placed + len(slurm.queues)


CONTROLLER = StackSpec(
    stack_key="slurm",
    purpose="Slurm controller of PCS, its security group and logs",
    key="slurm",
    module="stacks.slurm.controller",
    after=(NETWORK.stack_key,),
    holds=Holds.OBJECTS,
)
NODES = StackSpec(
    # What is scarce and paid for is created last and deleted first (ADR 16).
    stack_key="compute",
    purpose="login group, compute node groups and queues of Slurm",
    key="slurm.groups",
    module="stacks.slurm.nodes",
    after=(NETWORK.stack_key, STORAGE.stack_key, CONTROLLER.stack_key),
    resources=_resources_of_nodes,
)
IMAGE = StackSpec(
    stack_key=IMAGE_STACK,
    purpose="pipeline of Image Builder that builds the AMI of the Slurm nodes",
    key="slurm.dlami",
    module="stacks.slurm.image",
    after=(NETWORK.stack_key,),
    command="image build",
)

STACKS = (CONTROLLER, NODES, IMAGE)
"""Stacks in deploy order."""
