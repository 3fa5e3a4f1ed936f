"""Task governance on the local AWS: the add-on's conditions, and the namespace that a compute quota makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from local_aws.custom_resources.kubernetes_state import ClusterState, state_of
from local_aws.custom_resources.record import TABLE
from local_aws.server import LocalAws

ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
ACCOUNT, REGION = "300000000000", "us-west-2"
LABEL = "sagemaker.amazonaws.com/sagemaker-managed-queue"

Refused = Callable[..., tuple[str, str]]


def quota_of(team: str, cluster: str) -> dict[str, Any]:
    return {
        "Name": team,
        "ClusterArn": cluster,
        "ComputeQuotaConfig": {"ComputeQuotaResources": [{"InstanceType": "ml.trn1.32xlarge", "Count": 1}]},
        "ComputeQuotaTarget": {"TeamName": team},
    }


def status_of(eks: Any) -> tuple[str, list[str]]:
    """The status of the add-on, and the codes of its issues."""
    addon = eks.describe_addon(clusterName="trn", addonName=ADDON)["addon"]
    return addon["status"], [each["code"] for each in addon["health"]["issues"]]


def state(local_aws: LocalAws) -> ClusterState:
    return state_of(local_aws.store, ACCOUNT, REGION, "trn")


def test_the_addon_waits_for_a_hyperpod_node(eks: Any, sagemaker: Any, on_eks: Any) -> None:
    eks.create_addon(clusterName="trn", addonName=ADDON, addonVersion="v1.6.0-eksbuild.1")
    assert status_of(eks) == ("DEGRADED", ["InsufficientNumberOfReplicas"])
    sagemaker.create_cluster(**on_eks)
    assert status_of(eks) == ("ACTIVE", [])


def test_the_addon_fails_next_to_another_kueue(eks: Any, sagemaker: Any, on_eks: Any, local_aws: LocalAws) -> None:
    sagemaker.create_cluster(**on_eks)
    eks.create_addon(clusterName="trn", addonName=ADDON)
    row = {"kind": "chart", "cluster": "trn", "chart": "kueue"}
    local_aws.store.table(ACCOUNT, REGION, TABLE)["kueue"] = row
    assert status_of(eks) == ("CREATE_FAILED", ["ConfigurationConflict"])


def test_a_compute_quota_makes_the_namespace_of_its_team_with_a_queue(
    sagemaker: Any, on_eks: Any, local_aws: LocalAws
) -> None:
    arn = sagemaker.create_cluster(**on_eks)["ClusterArn"]
    made = sagemaker.create_compute_quota(**quota_of("research", arn))
    namespaces = state(local_aws).of_kind("", "Namespace")
    assert namespaces["hyperpod-ns-research"].live["metadata"]["labels"][LABEL] == "true"
    queues = state(local_aws).of_kind("kueue.x-k8s.io", "LocalQueue")
    (queue,) = queues
    assert queue == "hyperpod-ns-research/hyperpod-ns-research-localqueue"
    assert queues[queue].live["spec"] == {"clusterQueue": "hyperpod-ns-research-clusterqueue"}
    sagemaker.delete_compute_quota(ComputeQuotaId=made["ComputeQuotaId"])
    assert not state(local_aws).of_kind("kueue.x-k8s.io", "LocalQueue")
    assert "hyperpod-ns-research" in state(local_aws).of_kind("", "Namespace"), "inferred: it stays"


def test_a_namespace_that_exists_keeps_its_labels(sagemaker: Any, on_eks: Any, local_aws: LocalAws) -> None:
    arn = sagemaker.create_cluster(**on_eks)["ClusterArn"]
    metadata = {"name": "hyperpod-ns-research", "labels": {"a": "b"}}
    state(local_aws).put({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    sagemaker.create_compute_quota(**quota_of("research", arn))
    labels = state(local_aws).of_kind("", "Namespace")["hyperpod-ns-research"].live["metadata"]["labels"]
    assert (labels["a"], labels[LABEL]) == ("b", "true")
