"""CloudFormation types of HyperPod, by the words and keys of the environment file."""

from __future__ import annotations

from neuron_cluster.protocol.resource_kind import FileKey, ResourceKind, text_property

CLUSTER = "AWS::SageMaker::Cluster"
RECOVERY = {"automatic": "automatic", "none": "none"}

HYPERPOD_RESOURCE_KINDS = (
    ResourceKind(
        type=CLUSTER,
        noun="the HyperPod cluster",
        name=text_property("ClusterName"),
        key=("hyperpod",),
        file_keys=(FileKey("NodeRecovery", ("hyperpod", "node_recovery"), words=RECOVERY),),
        has_replacement_guard=True,
    ),
)
