"""The section ``eks``: one cluster with its endpoint, version and switches."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ChartValues, Cidr, ClosedModel, Switch, text_or_number
from neuron_cluster.orchestrators.eks.config.access import Access
from neuron_cluster.orchestrators.eks.config.addons import Addons, InstalledOtherwise
from neuron_cluster.orchestrators.eks.config.namespaces import Namespace
from neuron_cluster.orchestrators.eks.config.node_group import NodeGroup

VERSION_PATTERN = r"^[0-9]{1,2}\.[0-9]{1,3}$"


class EndpointAccess(enum.StrEnum):
    """From where the Kubernetes API can be reached."""

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
        description="Addresses that may use the public endpoint; the whole internet is refused.",
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
        description="Kubernetes version. It can go up one minor at a time, never down.", examples=["1.35"]
    )
    endpoint: Endpoint = Field(
        default_factory=Endpoint, description="The Kubernetes API endpoint.", examples=[{"access": "private"}]
    )
    access: Access = Field(
        default_factory=Access,
        description="Who may use the cluster; at least one admin is required. Absent: no access, which is an error.",
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
        description="Addresses of Kubernetes services, inside the cluster only; must not overlap network.cidr.",
        examples=["172.20.0.0/16"],
    )
    node_groups: list[NodeGroup] = Field(
        description="Managed node groups: one without taints for system pods, and the Neuron groups."
    )
    control_plane_logs: list[ControlPlaneLog] = Field(
        default=list(ControlPlaneLog),
        description="Control plane logs that EKS writes to CloudWatch, billed by the gigabyte; entries expire after 90 "
        "days. audit records who did what. Default: all five.",
        examples=[["audit", "authenticator"]],
    )
    prefix_delegation: Switch = Field(
        default=False,
        description="Pods get their addresses from blocks of 16 that nodes take whole (VPC CNI prefix delegation): "
        "more pods on a node, and far fewer addresses where few pods run on large nodes. For new nodes only.",
        examples=[True],
    )
    auto_mode: Switch = Field(
        default=False,
        description="EKS Auto Mode beside the node groups: EKS starts general-purpose nodes of its own, at a price of "
        "their own, for pods that fit no node group. They have no Neuron devices and mount no Lustre.",
        examples=[False],
    )
    image_cache: Switch = Field(
        default=False,
        description="Pull the images of charts, and charts that lie beside images, through the ECR registry of the "
        "account (pull-through cache rules): no rate limits of public registries, and each version stays as it was "
        "first pulled. Only registries that ask for no credentials: public.ecr.aws, registry.k8s.io, quay.io. With "
        "network.nat none all others too, and all charts, from copies, which docs/images.md describes.",
        examples=[True],
    )
    addons: Addons = Field(default_factory=Addons, description="Software of the cluster.", examples=[{"jobset": True}])
    installed_otherwise: list[InstalledOtherwise] = Field(
        default=[],
        description="Software of the cluster that you install yourself, from a registry of your own for example. It is "
        "off in addons by default, and `workload` treats it as installed.",
        examples=[["efa_device_plugin"]],
    )
    chart_values: dict[str, ChartValues] = Field(
        default={},
        description="Values for charts beside those that the toolkit gives them, by the chart's name. Keys are the "
        "chart's own. Lists replace the chart's; values that a key of addons decides cannot be set here.",
        examples=[{"kueue": {"controllerManager": {"replicas": 2}}}],
    )
