"""Purchase options of a training job."""

from typing import Annotated, Literal

from pydantic import Field

from neuron_cluster.config.capacity import KIND, OnDemand
from neuron_cluster.config.sagemaker import PLAN_ARN_PATTERN
from neuron_cluster.config.scalars import ClosedModel, WholeNumber

JOB_HOURS = 672
"""28 days: the longest time limit of a training job; boto/botocore 1.44.5, MaxRuntimeInSeconds."""


class ManagedSpot(ClosedModel):
    """Managed Spot training: SageMaker interrupts the job, and starts it again from its checkpoints."""

    kind: Literal["spot"] = Field(description=KIND, examples=["on_demand"])
    max_wait_hours: Annotated[WholeNumber, Field(ge=1, le=JOB_HOURS)] = Field(
        description="Hours for waiting and training together (MaxWaitTimeInSeconds): at least max_runtime_hours.",
        examples=[72],
    )


class JobTrainingPlan(ClosedModel):
    """A training plan of SageMaker whose target is training-job: instances for a fixed period, paid up front."""

    kind: Literal["training_plan"] = Field(description=KIND, examples=["on_demand"])
    plan_arn: Annotated[str, Field(pattern=PLAN_ARN_PATTERN)] = Field(
        description="ARN of a training plan whose target is training-job.",
        examples=["arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"],
    )

    @property
    def name(self) -> str:
        """The name of the plan, which SageMaker's calls need."""
        return self.plan_arn.rpartition("/")[2]


JobCapacity = Annotated[OnDemand | ManagedSpot | JobTrainingPlan, Field(discriminator="kind")]
