"""``eks`` as a section of the environment file."""

from types import MappingProxyType

from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.providers.eks.config.access import PRINCIPAL_PATTERN
from neuron_cluster.providers.eks.config.cluster import VERSION_PATTERN, Eks
from neuron_cluster.providers.eks.config.node_group import AMI_RELEASE_PATTERN

EKS_EXAMPLE = {
    "version": "1.35",
    "access": {"admins": ["arn:aws:iam::111122223333:role/platform-admin"]},
    "node_groups": [
        {
            "name": "system",
            "instance_type": "m7i.xlarge",
            "count": {"min": 2, "max": 4},
            "root_volume": {"size_gib": 50},
        },
        {
            "name": "trn1",
            "instance_type": "trn1.32xlarge",
            "count": {"max": 16},
            "availability_zone": "usw2-az4",
            "root_volume": {"size_gib": 512},
        },
    ],
}
"""A cluster that ``validate`` accepts: with an admin, and a node group without taints for system pods."""

EKS_SECTION = SectionSpec(
    key="eks",
    model=Eks,
    description="An EKS cluster. Absent: none.",
    examples=(EKS_EXAMPLE,),
    position=10,
    pattern_descriptions=MappingProxyType(
        {
            VERSION_PATTERN: "a version in two numbers such as 1.35",
            PRINCIPAL_PATTERN: "the ARN of an IAM role or user such as arn:aws:iam::111122223333:role/platform-admin",
            AMI_RELEASE_PATTERN: "an AMI release version such as 1.36.2-20260714",
        }
    ),
)
