"""Slurm as the orchestrator of a HyperPod cluster: ``hyperpod.slurm``."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Struct
from pydantic import BeforeValidator, Field

from neuron_cluster.config.machine import prefixed_instance_type
from neuron_cluster.config.sagemaker import ML_TYPE_PATTERN
from neuron_cluster.config.scalars import ClosedModel, WholeNumber
from neuron_cluster.providers.hyperpod.config.group import ExtraVolume, InstanceGroup

CONTROLLER, LOGIN = "controller", "login"
"""Names of the two groups that run no jobs."""
InstanceType = Annotated[str, Field(pattern=ML_TYPE_PATTERN), BeforeValidator(prefixed_instance_type("ml."))]


class Controller(ClosedModel):
    """The instance that runs slurmctld, and the database of accounting."""

    instance_type: InstanceType = Field(
        description="SageMaker instance type without Neuron devices.", examples=["ml.m7i.2xlarge"]
    )
    extra_volume: ExtraVolume | None = Field(
        default=None,
        description="EBS volume in addition to the root volume, whose size HyperPod decides. Default: none.",
        examples=[{"size_gib": 500}],
    )


class LoginCount(ClosedModel):
    """Number of login instances."""

    desired: Annotated[WholeNumber, Field(ge=1, le=6_758)] = Field(
        default=1, description="Number of instances (InstanceCount).", examples=[1]
    )


class Login(ClosedModel):
    """The instances from which users submit jobs; they are reachable through Session Manager only."""

    instance_type: InstanceType = Field(
        description="SageMaker instance type without Neuron devices.", examples=["ml.m7i.2xlarge"]
    )
    count: LoginCount = Field(
        default_factory=LoginCount, description="Number of instances. Default: one.", examples=[{"desired": 1}]
    )
    extra_volume: ExtraVolume | None = Field(
        default=None,
        description="EBS volume in addition to the root volume, whose size HyperPod decides. Default: none.",
        examples=[{"size_gib": 500}],
    )


class SlurmOrchestrator(ClosedModel):
    """Slurm, configured through the API of SageMaker. Its version is that of HyperPod's AMI."""

    controller: Controller = Field(
        description="The controller: one instance.", examples=[{"instance_type": "ml.m7i.2xlarge"}]
    )
    login: Login = Field(description="The login group.", examples=[{"instance_type": "ml.m7i.2xlarge"}])


class Partition(Struct, frozen=True):
    """A partition of Slurm: the groups whose ``queue`` has its name."""

    name: str
    groups: tuple[str, ...]
    default: bool = False
    """HyperPod has a default partition of its own, dev, with all nodes."""
    whole_nodes: bool = False
    """HyperPod writes partitions without OverSubscribe: jobs request whole nodes with --exclusive."""
    settings: Mapping[str, str] = {}


class JobGroup(Struct, frozen=True):
    """A group that runs jobs. SageMaker takes no Slurm settings for it."""

    name: str
    settings: Mapping[str, str] = {}


class SlurmView(Struct, frozen=True):
    """A HyperPod cluster as rules about Slurm read a section (``schedulers.slurm.section``)."""

    groups: tuple[JobGroup, ...]
    queues: tuple[Partition, ...]
    service: str = "HyperPod"
    mounts_efs: bool = False
    """HyperPod mounts Lustre and OpenZFS only: botocore 1.44.5, sagemaker ClusterInstanceStorageConfig."""
    version: str = ""
    """Not a choice of the file."""
    accounting: bool = True
    """HyperPod's AMI runs the database on the controller.

    Source: https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-getting-started-slurm-cli.html
    """
    settings: Mapping[str, str] = {}


def slurm_view(groups: Sequence[InstanceGroup]) -> SlurmView:
    """Returns the view; partitions are in the order in which groups name them first."""
    names = dict.fromkeys(group.queue for group in groups if group.queue is not None)
    partitions = (Partition(name, tuple(group.name for group in groups if group.queue == name)) for name in names)
    return SlurmView(tuple(JobGroup(group.name) for group in groups), tuple(partitions))
