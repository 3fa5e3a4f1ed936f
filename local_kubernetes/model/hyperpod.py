"""Marks of nodes of SageMaker HyperPod in a cluster, and the names of what its task governance makes there."""

from __future__ import annotations

from local_kubernetes.model.placement import Taint

HYPERPOD_TYPE = "ml."
"""Before the instance type in the label of its nodes
(https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-prerequisites.html)."""

HEALTH_TAINT = Taint("sagemaker.amazonaws.com/node-health-status", "Unschedulable", "NoSchedule")
"""A taint of nodes that are not healthy or are being checked; plugins of the user must tolerate it
(aws/sagemaker-hyperpod-cli@011ca92: helm_chart/readme.md)."""

PRIORITY_SUFFIX = "-priority"
"""The end of the name of the WorkloadPriorityClass for a priority class of the cluster policy."""


def team_namespace(team: str) -> str:
    """Returns the namespace that task governance makes with the compute quota of a team
    (https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html).
    """
    return f"hyperpod-ns-{team}"


def team_local_queue(team: str) -> str:
    """Returns the LocalQueue in that namespace
    (https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-console-ui-governance-cli.html)."""
    return f"{team_namespace(team)}-localqueue"


def team_cluster_queue(team: str) -> str:
    """Returns the ClusterQueue of that LocalQueue (awslabs/awsome-distributed-ai@95b939c:
    1.architectures/7.sagemaker-hyperpod-eks/task-governance/README.md)."""
    return f"{team_namespace(team)}-clusterqueue"
