"""The section ``eks``: one cluster with its endpoint, version and flags."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.namespace import Namespace
from neuron_cluster.config.scalars import ChartValues, Cidr, ClosedModel, Switch, WholeNumber, text_or_number
from neuron_cluster.providers.eks.config.access import Access
from neuron_cluster.providers.eks.config.addons import Addons, InstalledOtherwise
from neuron_cluster.providers.eks.config.node_group import NodeGroup

VERSION_PATTERN = r"^[0-9]{1,2}\.[0-9]{1,3}$"


class EndpointAccess(enum.StrEnum):
    """Networks from which the Kubernetes API is reachable."""

    PRIVATE = "private"
    PUBLIC_AND_PRIVATE = "public_and_private"


class Endpoint(ClosedModel):
    """The Kubernetes API endpoint."""

    access: EndpointAccess = Field(
        default=EndpointAccess.PRIVATE,
        description="private: only from the VPC. public_and_private: also from the addresses in public_access_cidrs.",
        examples=["private"],
    )
    public_access_cidrs: list[Cidr] = Field(
        default=[],
        description="CIDR blocks with access to the public endpoint; 0.0.0.0/0 is not allowed.",
        examples=[["203.0.113.0/24"]],
    )


class ControlPlaneLog(enum.StrEnum):
    """A kind of control plane log."""

    API = "api"
    AUDIT = "audit"
    AUTHENTICATOR = "authenticator"
    CONTROLLER_MANAGER = "controller_manager"
    SCHEDULER = "scheduler"


def _one_namespace() -> list[Namespace]:
    return [Namespace(name="default")]


class Eks(ClosedModel):
    """One EKS cluster, named like the environment."""

    version: Annotated[str, Field(pattern=VERSION_PATTERN), text_or_number(VERSION_PATTERN)] = Field(
        description="Kubernetes version. An upgrade is one minor version at a time; a downgrade is not possible.",
        examples=["1.35"],
    )
    endpoint: Endpoint = Field(
        default_factory=Endpoint, description="The Kubernetes API endpoint.", examples=[{"access": "private"}]
    )
    access: Access = Field(
        default_factory=Access,
        description="IAM principals with access; at least one admin is required. Absent: no access, which is an error.",
    )
    namespaces: list[Namespace] = Field(
        default_factory=_one_namespace,
        min_length=1,
        max_length=100,
        description="Namespaces where workloads run. Each has a LocalQueue for every queue; jobs of other namespaces "
        "are not admitted to the queues. The namespace default keeps the level restricted where it is not listed.",
        examples=[[{"name": "research", "pod_security": "restricted"}]],
    )
    service_cidr: Cidr = Field(
        default="172.20.0.0/16",
        description="CIDR block of Kubernetes Services, used only in the cluster; must not overlap network.cidr.",
        examples=["172.20.0.0/16"],
    )
    node_groups: list[NodeGroup] = Field(
        description="Managed node groups: one without taints for system pods, and the Neuron groups."
    )
    control_plane_logs: list[ControlPlaneLog] = Field(
        default=list(ControlPlaneLog),
        description="Control plane logs that EKS writes to CloudWatch Logs, billed per GB; entries expire after 90 "
        "days. audit records every request with its principal. Default: all five.",
        examples=[["audit", "authenticator"]],
    )
    prefix_delegation: Switch = Field(
        default=False,
        description="VPC CNI prefix delegation: nodes get blocks of 16 addresses for pods. More pods per node, and far "
        "fewer addresses if few pods run on large nodes. Applies to new nodes.",
        examples=[True],
    )
    auto_mode: Switch = Field(
        default=False,
        description="EKS Auto Mode beside the node groups: EKS starts general-purpose nodes, billed in addition, for "
        "pods that fit no node group. They have no Neuron devices and cannot mount Lustre.",
        examples=[False],
    )
    image_cache: Switch = Field(
        default=False,
        description="Pull the images of charts, and OCI charts, through ECR pull through cache rules in the account: "
        "no rate limits of public registries, and a version does not change after its first pull. Only for registries "
        "without credentials: public.ecr.aws, registry.k8s.io, quay.io. With network.nat none, all other images and "
        "charts come from copies too, which docs/images.md describes.",
        examples=[True],
    )
    pods_ready_minutes: Annotated[WholeNumber, Field(ge=5, le=1440)] = Field(
        default=180,
        description="Kueue: minutes until all pods of an admitted workload are Ready, image pulls and compilation "
        "included. After that, or if a pod is not Ready for as long later, Kueue stops the workload and returns it to "
        "its queue.",
        examples=[240],
    )
    addons: Addons = Field(default_factory=Addons, description="Software of the cluster.", examples=[{"jobset": True}])
    installed_otherwise: list[InstalledOtherwise] = Field(
        default=[],
        description="Components that you install yourself, for example from your own registry. They are false in "
        "addons by default, and `workload` treats them as installed. mpi_operator has no flag in addons.",
        examples=[["efa_device_plugin"]],
    )
    chart_values: dict[str, ChartValues] = Field(
        default={},
        description="Additional Helm values by chart name, with the keys of the chart. A list replaces the list of the "
        "chart; values that a key of addons decides cannot be set here.",
        examples=[{"kueue": {"controllerManager": {"replicas": 2}}}],
    )
