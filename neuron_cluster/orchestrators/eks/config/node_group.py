"""Managed node groups: ``eks.node_groups``."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.machine import Machine
from neuron_cluster.config.scalars import GROUP_NAME_PATTERN, ClosedModel, GroupName, Switch, WholeNumber

AMI_RELEASE_PATTERN = r"^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}-[0-9]{8}$"


class TaintEffect(enum.StrEnum):
    """What a taint does to pods that do not tolerate it."""

    NO_SCHEDULE = "no_schedule"
    NO_EXECUTE = "no_execute"
    PREFER_NO_SCHEDULE = "prefer_no_schedule"


class Taint(ClosedModel):
    """A Kubernetes taint on every node of the group."""

    key: Annotated[str, Field(min_length=1, max_length=63)] = Field(description="Taint key.", examples=["team"])
    value: Annotated[str, Field(max_length=63)] = Field(default="", description="Taint value.", examples=["research"])
    effect: TaintEffect = Field(description="What happens to pods without the toleration.", examples=["no_schedule"])


class NodeSubnets(enum.StrEnum):
    """Whose subnets the nodes of a group are in."""

    PRIMARY = "primary"
    SECONDARY = "secondary"


class NodeGroup(Machine):
    """An EKS managed node group."""

    name: GroupName = Field(
        description="Name of the group, unique in the environment; a Kubernetes label carries it.", examples=["trn1"]
    )
    labels: dict[str, str] = Field(
        default={}, description="Further Kubernetes labels on its nodes.", examples=[{"workload": "training"}]
    )
    taints: list[Taint] = Field(
        default=[],
        description="Further taints. Neuron groups always carry aws.amazon.com/neuron=true:NoSchedule.",
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None, description="Team that pays for it; becomes a tag of its instances.", examples=["research"]
    )
    queue: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Queue whose jobs run on its nodes; becomes their label neuron-cluster/queue. Groups with one "
        "queue serve the same jobs, such as two groups on capacity blocks of which one begins when the other ends.",
        examples=["training"],
    )
    ami_release: Annotated[str, Field(pattern=AMI_RELEASE_PATTERN)] | None = Field(
        default=None,
        description="EKS AMI release version to pin (<Kubernetes patch>-<date>). Default: the newest one at creation.",
        examples=["1.36.2-20260714"],
    )
    subnets: NodeSubnets = Field(
        default=NodeSubnets.PRIMARY,
        description="primary: the private subnets of network.cidr. secondary: those of network.secondary_cidrs in the "
        "zones of the group.",
        examples=["primary"],
    )
    pods_per_node: Annotated[WholeNumber, Field(ge=1, le=250)] | None = Field(
        default=None,
        description="Pods with an address of their own that you mean to run on each node, those of add-ons included: "
        "addresses are planned for so many. More are not rejected. Default: as many as a node supports.",
        examples=[15],
    )
    node_repair: Switch | None = Field(
        default=None,
        description="Let EKS replace or reboot nodes that report broken hardware. Default: on for Neuron groups.",
        examples=[True],
    )
