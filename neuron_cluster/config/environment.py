"""The environment file as a whole: what the user wrote, and nothing computed."""

import enum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from neuron_cluster.config.eks import Eks
from neuron_cluster.config.network import Network
from neuron_cluster.config.observability import Observability
from neuron_cluster.config.scalars import ACCOUNT_PATTERN, ClosedModel, text_or_number, whole_number
from neuron_cluster.config.storage import Storage
from neuron_cluster.config.workstation import Workstation

SCHEMA = 1
"""The schema number that this release reads."""

NAME_PATTERN = r"^[a-z]([a-z0-9-]{0,126}[a-z0-9])?$"
REGION_PATTERN = r"^[a-z]{2}(-[a-z]+)+-[0-9]$"
SDK_PATTERN = r"^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$"
FRAMEWORK_PATTERN = r"^[A-Za-z][A-Za-z0-9_.-]{1,63}$"
"""Package names too: rule E5018 then suggests the framework."""
CONTAINER_PATTERN = r"^([a-z0-9][a-z0-9._:-]*/)*[a-z0-9][a-z0-9._-]*:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$"

TAG_KEY_PATTERN = r"^[^\x00-\x1f\x7f]{1,128}$"
"""A key that `tags` may have; rule E6003 says more of it."""


class Lifecycle(enum.StrEnum):
    """How long the environment is meant to live."""

    EPHEMERAL = "ephemeral"
    DURABLE = "durable"


class Neuron(ClosedModel):
    """The Neuron software that everything else is derived from."""

    sdk: Annotated[str, Field(pattern=SDK_PATTERN)] = Field(
        description="Neuron SDK release. `neuron-cluster catalog sdk` lists the known ones.", examples=["2.32.0"]
    )
    frameworks: list[Annotated[str, Field(pattern=FRAMEWORK_PATTERN)]] = Field(
        default=[],
        description="What your workloads run on the Neuron machines; checked against their chips, images and the SDK. "
        "`neuron-cluster catalog frameworks` lists the known ones.",
        examples=[["jax"]],
    )
    containers: list[Annotated[str, Field(pattern=CONTAINER_PATTERN)]] = Field(
        default=[],
        description="Neuron Deep Learning Containers that your workloads run in, repository and tag; checked against "
        "the driver of their hosts. `neuron-cluster catalog containers` lists the known ones.",
        examples=[["public.ecr.aws/neuron/jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"]],
    )


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


class EnvironmentConfig(ClosedModel):
    """One cluster environment in one account and Region."""

    schema_number: Annotated[Literal[1], BeforeValidator(whole_number)] = Field(
        alias="schema", description="Format of this file.", examples=[1]
    )
    name: Annotated[str, Field(pattern=NAME_PATTERN)] = Field(
        description="Name of the environment: of the file, the cluster and the stacks.", examples=["train-trn1"]
    )
    account: Annotated[str, Field(pattern=ACCOUNT_PATTERN), text_or_number(ACCOUNT_PATTERN)] = Field(
        description="AWS account id, twelve digits.", examples=["111122223333"]
    )
    region: Annotated[str, Field(pattern=REGION_PATTERN)] = Field(description="AWS Region.", examples=["us-west-2"])
    lifecycle: Lifecycle = Field(
        default=Lifecycle.DURABLE,
        description="durable: what holds state is protected from deletion. ephemeral: it is not protected, yet kept.",
        examples=["durable"],
    )
    tags: dict[str, str] = Field(
        default={},
        description="Tags on every resource whose tags change in place; never on launch templates, node groups and "
        "placement groups, which a new tag would replace. propagate_at_launch adds instances, volumes and interfaces.",
        examples=[{"cost-center": "ml-platform"}],
    )
    propagate_at_launch: list[Annotated[str, Field(pattern=TAG_KEY_PATTERN)]] = Field(
        default=[],
        max_length=50,
        description="Keys of tags that instances of node groups and workstations, their volumes and their network "
        "interfaces get too, when they are launched: for cost allocation, and for policies that require tags on "
        "ec2:RunInstances. A change, also of the value of such a tag, replaces these machines.",
        examples=[["cost-center"]],
    )
    neuron: Neuron = Field(description="The Neuron software.", examples=[{"sdk": "2.32.0"}])
    network: Network = Field(description="The network.")
    storage: Storage | None = Field(default=None, description="Checkpoints and file systems. Absent: none.")
    eks: Eks | None = Field(default=None, description="An EKS cluster. Absent: none.", examples=[EKS_EXAMPLE])
    workstations: list[Workstation] = Field(
        default=[],
        description="Single machines with a Neuron Deep Learning AMI, for people.",
        examples=[[{"name": "alice", "instance_type": "inf2.xlarge", "dlami": "base_ubuntu_24_04"}]],
    )
    observability: Observability | None = Field(
        default=None,
        description="Dashboards and alarms for the Neuron devices of the EKS cluster. Absent: none.",
        examples=[{"metrics": "cloudwatch"}],
    )
