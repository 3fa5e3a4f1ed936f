"""Policies of task governance: compute quotas and scheduler configurations of clusters on EKS.

A compute quota makes the namespace of its team with a LocalQueue. Source: https://docs.aws.amazon.com/sagemaker/latest/dg/
sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html; labels as public code saw them in an account
(2026-10). Inferred: that the namespace stays without the quota.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.custom_resources.kubernetes_state import ClusterState, state_of
from local_aws.services.sagemaker.cluster_rows import eks_cluster_of
from local_aws.services.sagemaker.clusters import new_suffix
from local_aws.services.table import ended_by, made_by

QUOTA, SCHEDULER_CONFIG = "AWS::SageMaker::ComputeQuota", "AWS::SageMaker::ClusterSchedulerConfig"
GROUP, QUEUE = "kueue.x-k8s.io", "LocalQueue"
LABELS = {
    "sagemaker.amazonaws.com/activate-quota": "Enabled",
    "sagemaker.amazonaws.com/sagemaker-managed-queue": "true",
}

Row = Mapping[str, Any]


@made_by(SCHEDULER_CONFIG)
def new_policy(call: Call, row: Row) -> Mapping[str, Any]:
    """The id. Raises ServiceError for a cluster of Slurm."""
    clusters = call.table("Cluster")
    if row["cluster"] in clusters and eks_cluster_of(clusters[row["cluster"]]) is None:
        raise api_error("sagemaker.policy_on_slurm", name=row["cluster"])
    return {"suffix": new_suffix()}


@made_by(QUOTA)
def new_quota(call: Call, row: Row) -> Mapping[str, Any]:
    """The id, after the namespace of the team is there. A namespace that exists gets the labels too."""
    made = new_policy(call, row)
    state = _state(call, row)
    if state is not None:
        name = _namespace(row)
        before = state.of_kind("", "Namespace").get(name)
        metadata: dict[str, Any] = dict(before.live["metadata"]) if before is not None else {"name": name}
        metadata["labels"] = {**metadata.get("labels", {}), **LABELS}
        if before is None:
            state.put({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
        else:
            before.live["metadata"] = metadata
        queue = {"name": f"{name}-localqueue", "namespace": name}
        spec = {"clusterQueue": f"{name}-clusterqueue"}
        state.put({"apiVersion": f"{GROUP}/v1beta2", "kind": QUEUE, "metadata": queue, "spec": spec})
    return made


@ended_by(QUOTA)
def ended_quota(call: Call, row: Row) -> None:
    """The queue of the team goes with its quota."""
    state = _state(call, row)
    if state is not None:
        name = _namespace(row)
        state.objects.pop((GROUP, QUEUE, name, f"{name}-localqueue"), None)


def _state(call: Call, row: Row) -> ClusterState | None:
    """The objects of the EKS cluster; None for a cluster that is not there."""
    eks = eks_cluster_of(call.table("Cluster").get(row["cluster"], {}))
    return state_of(call.store, call.account, call.region, eks) if eks is not None else None


def _namespace(row: Row) -> str:
    return f"hyperpod-ns-{row['ComputeQuotaTarget']['TeamName']}"
