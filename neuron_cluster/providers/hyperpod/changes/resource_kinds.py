"""CloudFormation types of HyperPod, by the words and keys of the environment file."""

from __future__ import annotations

from neuron_cluster.protocol.resource_kind import FileKey, ResourceKind, text_property

CLUSTER = "AWS::SageMaker::Cluster"
COMPUTE_QUOTA = "AWS::SageMaker::ComputeQuota"
SCHEDULER_CONFIG = "AWS::SageMaker::ClusterSchedulerConfig"
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
    ResourceKind(
        type=COMPUTE_QUOTA,
        noun="the compute quota",
        name=text_property("Name"),
        key=("teams",),
        file_keys=(
            FileKey(
                "ComputeQuotaTarget/FairShareWeight",
                ("teams", "[]", "weight"),
                of=("ComputeQuotaTarget/TeamName", "(.+)"),
            ),
        ),
        has_replacement_guard=True,
    ),
    ResourceKind(
        type=SCHEDULER_CONFIG,
        noun="the cluster policy",
        name=text_property("Name"),
        key=("hyperpod", "task_governance"),
        has_replacement_guard=True,
    ),
)
