"""The section ``sagemaker_training``: role, security group and jobs of SageMaker."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel
from neuron_cluster.sections.sagemaker_training.config.job import TrainingJob


class SageMakerTraining(ClosedModel):
    """Training jobs of SageMaker: what they need in the account, and the jobs themselves."""

    jobs: Annotated[list[TrainingJob], Field(min_length=1, max_length=100)] = Field(
        description="Jobs by name. A deploy starts none: `workload submit` does."
    )
