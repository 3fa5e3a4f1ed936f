"""Managed node groups: ``eks.node_groups``."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.machine import Machine
from neuron_cluster.config.scalars import GROUP_NAME_PATTERN, GroupName, Switch, WholeNumber
from neuron_cluster.config.taint import Taint

AMI_RELEASE_PATTERN = r"^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}-[0-9]{8}$"


class NodeSubnets(enum.StrEnum):
    """Subnets of the nodes of a group."""

    PRIMARY = "primary"
    SECONDARY = "secondary"


class NodeGroup(Machine):
    """An EKS managed node group."""

    name: GroupName = Field(
        description="Name of the group, unique in the environment; also a Kubernetes label.", examples=["trn1"]
    )
    labels: dict[str, str] = Field(
        default={}, description="Additional Kubernetes labels of its nodes.", examples=[{"workload": "training"}]
    )
    taints: list[Taint] = Field(
        default=[],
        description="Additional taints. Neuron groups always have aws.amazon.com/neuron=true:NoSchedule.",
    )
    team: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None, description="Team for cost allocation; becomes a tag of its instances.", examples=["research"]
    )
    queue: Annotated[str, Field(pattern=GROUP_NAME_PATTERN)] | None = Field(
        default=None,
        description="Kueue queue whose jobs run on its nodes; becomes the node label neuron-cluster/queue. Groups with "
        "the same queue serve the same jobs, for example two groups on consecutive capacity blocks.",
        examples=["training"],
    )
    network_topology: Switch = Field(
        default=False,
        description="Kueue knows the place of each node in the network (topology-aware scheduling): a job with the pod "
        "annotation kueue.x-k8s.io/podset-preferred-topology gets nodes that are close to each other. Requires a "
        "queue, and an instance type with network topology labels (Trn1, Trn2).",
        examples=[True],
    )
    fast_image_pull: Switch = Field(
        default=False,
        description="nodeadm's feature gate FastImagePull (experimental): layers of images are pulled and unpacked in "
        "parallel, with more CPU, memory and disk throughput. For images of many GB on nodes with local disks.",
        examples=[True],
    )
    ami_release: Annotated[str, Field(pattern=AMI_RELEASE_PATTERN)] | None = Field(
        default=None,
        description="EKS AMI release version to pin (<Kubernetes patch>-<date>). Default: the newest one at creation.",
        examples=["1.36.2-20260714"],
    )
    subnets: NodeSubnets = Field(
        default=NodeSubnets.PRIMARY,
        description="primary: the private subnets of network.cidr. secondary: the subnets of network.secondary_cidrs "
        "in the zones of the group.",
        examples=["primary"],
    )
    pods_per_node: Annotated[WholeNumber, Field(ge=1, le=250)] | None = Field(
        default=None,
        description="Number of pods per node to plan addresses for: pods with their own address, including those of "
        "add-ons. It is not a limit. Default: the maximum number of pods of a node.",
        examples=[15],
    )
    node_repair: Switch | None = Field(
        default=None,
        description="EKS node auto repair: EKS replaces or reboots nodes with reported hardware errors. Default: true "
        "for Neuron groups.",
        examples=[True],
    )
