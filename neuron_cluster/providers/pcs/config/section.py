"""``slurm`` as a section of the environment file."""

from types import MappingProxyType

from neuron_cluster.config.sections import SectionSpec
from neuron_cluster.providers.pcs.config.cluster import VERSION_PATTERN, Slurm
from neuron_cluster.providers.pcs.config.settings import VALUE_PATTERN

SLURM_EXAMPLE = {
    "version": "25.11",
    "dlami": "base_ubuntu_24_04",
    "ami_id": "ami-0123456789abcdef0",
    "login": {"instance_type": "m7i.xlarge", "count": {"min": 1, "max": 1}, "root_volume": {"size_gib": 100}},
    "groups": [
        {
            "name": "trn1",
            "instance_type": "trn1.32xlarge",
            "count": {"max": 16},
            "availability_zone": "usw2-az4",
            "root_volume": {"size_gib": 512},
        }
    ],
    "queues": [{"name": "training", "groups": ["trn1"]}],
}
"""A cluster that ``validate`` accepts: a login node, and a group that starts instances for jobs."""

SLURM_SECTION = SectionSpec(
    key="slurm",
    model=Slurm,
    description="A Slurm cluster of AWS Parallel Computing Service (PCS). Absent: none.",
    examples=(SLURM_EXAMPLE,),
    position=20,
    pattern_descriptions=MappingProxyType(
        {
            VERSION_PATTERN: "a version in two numbers such as 25.11",
            VALUE_PATTERN: "one line of 1 to 1024 characters such as 2-00:00:00",
        }
    ),
)
