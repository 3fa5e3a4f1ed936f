"""CloudFormation types of PCS, by the words and keys of the environment file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neuron_cluster.protocol.resource_kind import FileKey, ResourceKind, text_property

CLUSTER = "AWS::PCS::Cluster"
COMPUTE_NODE_GROUP = "AWS::PCS::ComputeNodeGroup"
QUEUE = "AWS::PCS::Queue"


def group_name(properties: Mapping[str, Any]) -> str:
    """The user's name: without the hash that changes with what replaces the group."""
    name = properties.get("Name")
    return name.rpartition("-")[0] if isinstance(name, str) else ""


GROUP_KIND = ResourceKind(
    type=COMPUTE_NODE_GROUP,
    noun="the compute node group",
    name=group_name,
    key=("slurm", "groups"),
    is_item=True,
    file_keys=(
        FileKey("ScalingConfiguration/MinInstanceCount", ("slurm", "groups", "[]", "count", "min")),
        FileKey("ScalingConfiguration/MaxInstanceCount", ("slurm", "groups", "[]", "count", "max")),
    ),
    subnets="SubnetIds",
    unique=(("ClusterId", "Name"),),
)
SLURM_RESOURCE_KINDS = (
    ResourceKind(
        type=CLUSTER,
        noun="the Slurm cluster",
        name=text_property("Name"),
        key=("slurm",),
        file_keys=(FileKey("SlurmConfiguration/ScaleDownIdleTimeInSeconds", ("slurm", "idle_minutes"), divisor=60),),
        has_replacement_guard=True,
    ),
    GROUP_KIND,
    ResourceKind(
        type=QUEUE,
        noun="the queue",
        name=text_property("Name"),
        key=("slurm", "queues"),
        is_item=True,
        unique=(("ClusterId", "Name"),),
    ),
)
"""``unique``: PCS rejects a second group or queue of a name with a ConflictException."""
