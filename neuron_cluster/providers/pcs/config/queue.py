"""Queues, which Slurm calls partitions: ``slurm.queues``."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, GroupName, Switch
from neuron_cluster.providers.pcs.config.settings import Settings


class SlurmQueue(ClosedModel):
    """A queue, whose jobs run on nodes of its groups."""

    name: GroupName = Field(description="Name of the queue, which jobs name with --partition.", examples=["training"])
    groups: Annotated[list[GroupName], Field(min_length=1)] = Field(
        description="Names of groups whose nodes run its jobs. A group may be in several queues.",
        examples=[["trn1"]],
    )
    default: Switch | None = Field(
        default=None,
        description="Whether jobs without --partition run here. Default: true for the first queue if no queue sets it.",
        examples=[True],
    )
    whole_nodes: Switch | None = Field(
        default=None,
        description="Whether a job has its nodes for itself. Default: true if one of its groups has Neuron devices.",
        examples=[True],
    )
    settings: Settings = Field(
        default={},
        description="Slurm settings of the queue, by name. `neuron-cluster catalog settings` lists those that PCS "
        "accepts. Default, OverSubscribe and Exclusive are set by default and whole_nodes.",
        examples=[{"MaxTime": "2-00:00:00"}],
    )
