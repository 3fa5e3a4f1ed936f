"""Compute node groups of PCS: ``slurm.groups``, and the login group ``slurm.login``."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.machine import Machine
from neuron_cluster.config.scalars import GROUP_NAME_PATTERN, GroupName
from neuron_cluster.providers.pcs.config.settings import Settings


class ComputeNodeGroup(Machine):
    """A compute node group: PCS starts `count.min` instances, and more for jobs, up to `count.max`."""

    name: GroupName = Field(
        description="Name of the group, unique in the environment; part of the names of its nodes in Slurm.",
        examples=["trn1"],
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Team for cost allocation; becomes a tag of its instances. Other teams may use its queues too.",
        examples=["research"],
    )
    settings: Settings = Field(
        default={},
        description="Slurm settings of its nodes, by name. `neuron-cluster catalog settings` lists those that PCS "
        "accepts. Gres is generated from the Neuron devices of the instance type.",
        examples=[{"Weight": "10"}],
    )


class LoginNodes(Machine):
    """The login group, from which users submit jobs. No queue has it; it is reachable through Session Manager alone."""
