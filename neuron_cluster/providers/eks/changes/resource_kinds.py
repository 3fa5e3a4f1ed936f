"""CloudFormation types of EKS, by the words and keys of the environment file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from local_kubernetes.model.names import NEURON
from neuron_cluster.changes.kubernetes_objects import CHART
from neuron_cluster.protocol.resource_kind import FileKey, ResourceKind, text_property
from neuron_cluster.providers.eks.changes.access import ACCESS_ENTRY, CLUSTER
from neuron_cluster.providers.eks.changes.guards.addons_left_behind import ADDON
from neuron_cluster.providers.eks.changes.node_group_state import NODE_GROUP, group_name
from neuron_cluster.providers.eks.config.cluster import EndpointAccess

NAMES = ("Key", "Value", "Effect")
NODE_GROUPS = ("eks", "node_groups", "[]")
ACCESS_BY_PUBLIC = {"true": EndpointAccess.PUBLIC_AND_PRIVATE.value, "false": EndpointAccess.PRIVATE.value}


def as_read(template: Sequence[Any], actual: Sequence[Any]) -> Sequence[Any]:
    """Returns the items that the service has, which the file has as they are."""
    del template
    return actual


def taints_of_the_file(template: Sequence[Any], actual: Sequence[Any]) -> list[dict[str, str]] | None:
    """Taints as the file has them, without that of Neuron, which no key takes from a group that has it."""
    neuron = [taint for taint in template if taint.get("Key") == NEURON]
    if any(taint not in actual for taint in neuron):
        return None
    return [_taint(each) for each in actual if each not in neuron]


def _taint(taint: Mapping[str, str]) -> dict[str, str]:
    named = {name.lower(): taint[name] for name in NAMES if taint.get(name)}
    return {**named, "effect": named["effect"].lower()}


NODE_GROUP_KIND = ResourceKind(
    type=NODE_GROUP,
    noun="the node group",
    name=group_name,
    key=("eks", "node_groups"),
    is_item=True,
    file_keys=(
        FileKey("ScalingConfig/MinSize", (*NODE_GROUPS, "count", "min")),
        FileKey("ScalingConfig/DesiredSize", (*NODE_GROUPS, "count", "desired")),
        FileKey("ScalingConfig/MaxSize", (*NODE_GROUPS, "count", "max")),
        FileKey("NodeRepairConfig/Enabled", (*NODE_GROUPS, "node_repair")),
        FileKey("ReleaseVersion", (*NODE_GROUPS, "ami_release")),
        FileKey("Labels/*", (*NODE_GROUPS, "labels", "*")),
        FileKey("Taints", (*NODE_GROUPS, "taints"), items=taints_of_the_file),
    ),
    subnets="Subnets",
    unique=(("ClusterName", "NodegroupName"),),
)
EKS_RESOURCE_KINDS = (
    ResourceKind(
        type=CLUSTER,
        noun="the cluster",
        name=text_property("Name"),
        key=("eks",),
        file_keys=(
            FileKey("Version", ("eks", "version")),
            FileKey("ResourcesVpcConfig/EndpointPublicAccess", ("eks", "endpoint", "access"), words=ACCESS_BY_PUBLIC),
            FileKey("ResourcesVpcConfig/PublicAccessCidrs", ("eks", "endpoint", "public_access_cidrs"), items=as_read),
        ),
        has_replacement_guard=True,
    ),
    NODE_GROUP_KIND,
    ResourceKind(
        type=ADDON,
        noun="the add-on",
        name=text_property("AddonName"),
        unique=(("ClusterName", "AddonName"),),
    ),
    ResourceKind(
        type=ACCESS_ENTRY,
        noun="the access entry of",
        name=text_property("PrincipalArn"),
        key=("eks", "access"),
        unique=(("ClusterName", "PrincipalArn"),),
    ),
    ResourceKind(type=CHART, noun="the chart", name=text_property("Release")),
)
"""``unique`` by the CloudFormation reference of each type."""
