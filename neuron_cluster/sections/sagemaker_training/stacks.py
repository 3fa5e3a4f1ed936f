"""The row of training jobs in the stack table."""

from __future__ import annotations

from neuron_cluster.plan.core_stacks import NETWORK, STORAGE
from neuron_cluster.plan.stack_spec import StackSpec
from neuron_cluster.sections.sagemaker_training.build_plan import KEY, STACK

TRAINING = StackSpec(
    stack_key=STACK,
    purpose="roles of SageMaker training jobs, and policies of those who submit them",
    key=KEY,
    module="stacks.sagemaker_training",
    after=(NETWORK.stack_key, STORAGE.stack_key),
)
