"""``hyperpod`` as a section of the environment file."""

from types import MappingProxyType

from neuron_cluster.config.sagemaker import ML_TYPE_PATTERN, PLAN_ARN_PATTERN
from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.providers.hyperpod.config.cluster import HyperPod
from neuron_cluster.providers.hyperpod.config.group import (
    ALARM_NAME_PATTERN,
    AMI_RELEASE_PATTERN,
    CRON_PATTERN,
    NAME_PATTERN,
)
from neuron_cluster.providers.hyperpod.config.task_governance import CLASS_NAME_PATTERN

HYPERPOD_EXAMPLE = {
    "groups": [
        {
            "name": "trn1-pod",
            "instance_type": "ml.trn1.32xlarge",
            "count": {"desired": 4},
            "availability_zone": "usw2-az4",
        }
    ]
}

HYPERPOD_SECTION = SectionSpec(
    key="hyperpod",
    model=HyperPod,
    description="A cluster of SageMaker HyperPod, whose nodes join the EKS cluster. Absent: none.",
    examples=(HYPERPOD_EXAMPLE,),
    position=15,
    pattern_descriptions=MappingProxyType(
        {
            ML_TYPE_PATTERN: "a SageMaker instance type such as ml.trn2.48xlarge",
            ALARM_NAME_PATTERN: "a name of up to 255 characters of ASCII, without spaces at its ends",
            AMI_RELEASE_PATTERN: "a release version of the HyperPod AMI in three numbers such as 1.2.3",
            CRON_PATTERN: "a schedule expression such as cron(0 2 ? * SUN *): minute, hour, day of month or ?, month, "
            "day of week or ?, year",
            NAME_PATTERN: "a name of up to 54 lower-case letters, digits and hyphens that begins with a letter",
            CLASS_NAME_PATTERN: "a name of up to 40 lower-case letters, digits and hyphens",
            PLAN_ARN_PATTERN: "the ARN of a training plan such as "
            "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49",
        }
    ),
)
