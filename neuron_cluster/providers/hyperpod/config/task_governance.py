"""Task governance of HyperPod: ``hyperpod.task_governance``."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch, WholeNumber

CLASS_NAME_PATTERN = r"^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$"
"""ClusterSchedulerPriorityClassName of the API."""


class PriorityClass(ClosedModel):
    """A rank of jobs within a team, and among jobs that borrow."""

    name: Annotated[str, Field(pattern=CLASS_NAME_PATTERN)] = Field(
        description="Name of the class. Jobs name it in the label kueue.x-k8s.io/priority-class, with -priority at the "
        "end: training-priority.",
        examples=["training"],
    )
    weight: Annotated[WholeNumber, Field(ge=0, le=100)] = Field(
        description="Rank of its jobs: one of a higher weight goes first, and stops one of a lower weight. Jobs "
        "without a class have 0.",
        examples=[75],
    )


def usual_classes() -> list[PriorityClass]:
    """The classes of the toolkit's Kueue, by the names without ``-priority``."""
    return [PriorityClass(name=name, weight=weight) for name, weight in (("high", 100), ("normal", 50), ("low", 10))]


class TaskGovernance(ClosedModel):
    """A cluster policy (ClusterSchedulerConfig), and a compute quota for each item of teams."""

    priority_classes: Annotated[list[PriorityClass], Field(max_length=10)] = Field(
        default_factory=usual_classes,
        description="Priority classes of jobs. An empty list: jobs start in the order of their submission. Absent: "
        "high (100), normal (50) and low (10).",
        examples=[[{"name": "inference", "weight": 100}, {"name": "training", "weight": 75}]],
    )
    fair_share: Switch = Field(
        default=True,
        description="Teams that borrow at the same time get idle instances by teams[].weight. Without it, the first "
        "job that asks gets them.",
        examples=[True],
    )
    idle_resource_sharing: Switch = Field(
        default=True,
        description="Teams may also borrow instances that are in no quota. Without it, these run no job of a team.",
        examples=[False],
    )
