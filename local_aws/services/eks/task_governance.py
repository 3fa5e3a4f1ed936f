"""Requirements of the add-on of HyperPod's task governance for its cluster: no other Kueue, and a HyperPod node.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/
sagemaker-hyperpod-eks-operate-console-ui-governance-setup-task-governance.html. Inferred: states and words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.contract import Call
from local_aws.custom_resources.record import has_chart
from local_aws.services.eks.nodes import CREATE_FAILED, DEGRADED
from local_aws.services.sagemaker.cluster_rows import eks_cluster_of

ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
KUEUE = "kueue"
CONFLICT = {
    "code": "ConfigurationConflict",
    "message": "Conflicts found when trying to apply: Kueue is installed in the cluster. Uninstall it first.",
    "resourceIds": [],
}
NO_NODE = {
    "code": "InsufficientNumberOfReplicas",
    "message": "The add-on requires a node of SageMaker HyperPod in the cluster.",
    "resourceIds": [],
}


def governance_problem(call: Call, cluster: str) -> tuple[str, Mapping[str, Any]] | None:
    """Returns the status of the add-on and the issue; None where the cluster has what it requires."""
    if has_chart(call.store, call.account, call.region, cluster, KUEUE):
        return CREATE_FAILED, CONFLICT
    return None if _has_node(call, cluster) else (DEGRADED, NO_NODE)


def _has_node(call: Call, cluster: str) -> bool:
    """Asks SageMaker, which starts nodes that are due when it is asked."""
    sagemaker = call.client("sagemaker")
    for row in sagemaker.list_clusters()["ClusterSummaries"]:
        name = row["ClusterName"]
        if eks_cluster_of(sagemaker.describe_cluster(ClusterName=name)) == cluster:
            return bool(sagemaker.list_cluster_nodes(ClusterName=name)["ClusterNodeSummaries"])
    return False
