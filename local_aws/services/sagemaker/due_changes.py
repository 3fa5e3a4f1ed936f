"""HyperPod starts nodes for which groups wait, and replaces those that failed, without a request."""

from __future__ import annotations

from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.sagemaker.cluster_rows import FAILED, is_continuous
from local_aws.services.sagemaker.instances import end_starts, recover_nodes
from local_aws.services.sagemaker.provisioning import fill

OPERATIONS = (
    "BatchAddClusterNodes",
    "BatchDeleteClusterNodes",
    "BatchRebootClusterNodes",
    "BatchReplaceClusterNodes",
    "DescribeCluster",
    "DescribeClusterEvent",
    "DescribeClusterNode",
    "ListClusterEvents",
    "ListClusterNodes",
    "StartClusterHealthCheck",
    "UpdateCluster",
    "UpdateClusterSoftware",
)


@guard("sagemaker", *OPERATIONS, first=True)
def do_due_changes(call: Call) -> None:
    """Does what was due by now, before anybody looks."""
    for cluster in list(call.table("Cluster").values()):
        end_starts(cluster)
        recover_nodes(call, cluster)
        if is_continuous(cluster) and cluster["ClusterStatus"] != FAILED:
            fill(call, cluster)
