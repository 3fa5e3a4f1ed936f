"""A provider of a Slurm cluster other than PCS: a section with the keys that rules about Slurm read."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from neuron_cluster.config.dlami_machine import DlamiMachine
from neuron_cluster.config.scalars import ClosedModel, Switch
from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan
from neuron_cluster.providers.dlami_groups.base import DlamiGroupsProvider
from neuron_cluster.resolved.dlami_group import DlamiGroup
from neuron_cluster.schedulers.slurm.scheduler import SLURM_SCHEDULER


class PoolGroup(DlamiMachine):
    """Machines of the pool."""

    settings: dict[str, str] = Field(default={}, description="Settings of its nodes.")


class PoolQueue(ClosedModel):
    """A queue of the pool."""

    name: str = Field(description="Name of the queue.")
    groups: list[str] = Field(description="Names of groups.")
    default: Switch | None = Field(default=None, description="Whether it is the default.")
    whole_nodes: Switch | None = Field(default=None, description="Whether a job has whole nodes.")
    settings: dict[str, str] = Field(default={}, description="Settings of the queue.")


class Pool(ClosedModel):
    """A pool of machines with Slurm."""

    service: ClassVar[str] = "HyperPod"
    mounts_efs: ClassVar[bool] = True

    version: str = Field(default="25.05", description="Slurm version.")
    accounting: Switch = Field(default=False, description="Whether jobs are recorded.")
    settings: dict[str, str] = Field(default={}, description="Settings of the cluster.")
    groups: list[PoolGroup] = Field(description="Its groups.")
    queues: list[PoolQueue] = Field(description="Its queues.")


class MachinesOfPool(DlamiGroup, frozen=True):
    noun = "group of the pool"


class MachinesPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    noun = "group of the pool"


class PoolProvider(DlamiGroupsProvider):
    section = SectionSpec(key="pool", model=Pool, description="A pool. Absent: none.", examples=())
    has_rules_for_its_section_only = True
    schedulers = (SLURM_SCHEDULER,)
    group = MachinesOfPool
    group_plan = MachinesPlan


POOL = PoolProvider()
