"""The section ``slurm``: one PCS cluster with its groups and queues."""

import enum
from typing import Annotated, ClassVar

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel, Switch, WholeNumber, text_or_number
from neuron_cluster.config.workstation import AMI_ID_PATTERN, DLAMI_PATTERN
from neuron_cluster.providers.pcs.config.group import ComputeNodeGroup, LoginNodes
from neuron_cluster.providers.pcs.config.queue import SlurmQueue
from neuron_cluster.providers.pcs.config.settings import Settings

VERSION_PATTERN = r"^[0-9]{2}\.[0-9]{2}$"


class ClusterSize(enum.StrEnum):
    """Size of the controller: how many instances and jobs it manages."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class Slurm(ClosedModel):
    """One cluster of AWS Parallel Computing Service (PCS), named like the environment."""

    service: ClassVar[str] = "PCS"
    mounts_efs: ClassVar[bool] = True

    version: Annotated[str, Field(pattern=VERSION_PATTERN), text_or_number(VERSION_PATTERN)] = Field(
        description="Slurm version. An update goes up only. `neuron-cluster catalog slurm` lists those that PCS runs.",
        examples=["25.11"],
    )
    dlami: Annotated[str, Field(pattern=DLAMI_PATTERN)] = Field(
        description="Kind of Deep Learning AMI that the AMI is built from, for its operating system, root device and "
        "Neuron driver. `neuron-cluster catalog dlamis` lists the known ones.",
        examples=["base_ubuntu_24_04"],
    )
    ami_id: Annotated[str, Field(pattern=AMI_ID_PATTERN)] | None = Field(
        default=None,
        description="AMI of all groups: the kind in dlami with the PCS agent and this Slurm version installed. A DLAMI "
        "without them does not join the cluster. Default: the AMI of the lock, which `image build` builds.",
        examples=["ami-0123456789abcdef0"],
    )
    size: ClusterSize | None = Field(
        default=None,
        description="Size of the controller, which cannot change later; `neuron-cluster catalog sizes` has the "
        "instances and jobs of each. Default: the smallest for the sum of count.max of all groups and login.",
        examples=["medium"],
    )
    accounting: Switch = Field(
        default=True,
        description="Slurm accounting: PCS records jobs, users and their use in a database, billed by the hour.",
        examples=[True],
    )
    idle_minutes: Annotated[WholeNumber, Field(ge=1, le=100_000)] = Field(
        default=10,
        description="Minutes without a job after which PCS ends an instance above count.min.",
        examples=[10],
    )
    settings: Settings = Field(
        default={},
        description="Slurm settings of the cluster, by name. `neuron-cluster catalog settings` lists those that PCS "
        "accepts. Prolog, Epilog, TaskProlog and HealthCheckProgram are the toolkit's; values of "
        "SchedulerParameters come behind its own. A script that another one names must be in the AMI.",
        examples=[{"SchedulerParameters": "bf_interval=60"}],
    )
    login: LoginNodes = Field(
        description="The login group: a fixed number of instances, at least one.",
        examples=[{"instance_type": "m7i.xlarge", "count": {"min": 1, "max": 1}}],
    )
    groups: Annotated[list[ComputeNodeGroup], Field(min_length=1)] = Field(
        description="Compute node groups, each of one instance type."
    )
    queues: Annotated[list[SlurmQueue], Field(min_length=1)] = Field(
        description="Queues. Each group is in one at least.",
        examples=[[{"name": "training", "groups": ["trn1"]}]],
    )
