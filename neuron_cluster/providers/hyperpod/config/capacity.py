"""Purchase options of an instance group of HyperPod."""

from typing import Annotated, Literal

from pydantic import Field

from neuron_cluster.config.capacity import KIND, OnDemand, Spot, UtcTime
from neuron_cluster.config.sagemaker import PLAN_ARN_PATTERN
from neuron_cluster.config.scalars import ClosedModel


class TrainingPlan(ClosedModel):
    """A training plan of SageMaker: instances for a fixed period, paid up front."""

    kind: Literal["training_plan"] = Field(description=KIND, examples=["on_demand"])
    plan_arn: Annotated[str, Field(pattern=PLAN_ARN_PATTERN)] = Field(
        description="ARN of a training plan whose target is hyperpod-cluster.",
        examples=["arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"],
    )
    starts: UtcTime | None = Field(
        default=None, description="StartTime of the plan.", examples=["2026-12-01T11:30:00Z"]
    )
    ends: UtcTime | None = Field(
        default=None,
        description="EndTime of the plan. SageMaker takes the nodes back one hour before.",
        examples=["2026-12-08T11:30:00Z"],
    )

    @property
    def name(self) -> str:
        """The name of the plan, which SageMaker's calls need."""
        return self.plan_arn.rpartition("/")[2]


GroupCapacity = Annotated[OnDemand | Spot | TrainingPlan, Field(discriminator="kind")]
