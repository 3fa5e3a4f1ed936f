"""``sagemaker_training`` as a section of the environment file."""

from types import MappingProxyType

from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.sections.sagemaker_training.config.job import (
    CHANNEL_PATTERN,
    IMAGE_PATTERN,
    JOB_NAME_PATTERN,
    LUSTRE_PATTERN,
    S3_PATTERN,
    WORD_PATTERN,
)
from neuron_cluster.sections.sagemaker_training.config.training import SageMakerTraining

TRAINING_EXAMPLE = {
    "jobs": [
        {
            "name": "finetune",
            "image": "763104351884.dkr.ecr.us-west-2.amazonaws.com/"
            "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04",
            "instance_type": "ml.trn1.32xlarge",
            "count": 2,
        }
    ]
}

SAGEMAKER_TRAINING_SECTION = SectionSpec(
    key="sagemaker_training",
    model=SageMakerTraining,
    description="Training jobs of SageMaker: role, security group and jobs by name. Absent: none.",
    examples=(TRAINING_EXAMPLE,),
    position=30,
    pattern_descriptions=MappingProxyType(
        {
            JOB_NAME_PATTERN: "a name of up to 40 lower-case letters, digits and hyphens that begins with a letter",
            CHANNEL_PATTERN: "a name of up to 63 lower-case letters, digits, - and _ that begins with a letter",
            IMAGE_PATTERN: "an image of ECR with registry and tag or digest such as "
            "111122223333.dkr.ecr.us-west-2.amazonaws.com/trainer:1.0",
            S3_PATTERN: "a bucket and a prefix such as s3://my-datasets/tokens/",
            LUSTRE_PATTERN: "an absolute path such as /datasets",
            WORD_PATTERN: "one line of 1 to 256 characters",
        }
    ),
)
