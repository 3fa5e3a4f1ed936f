"""Marks of nodes of SageMaker HyperPod in a cluster."""

from __future__ import annotations

from neuron_cluster.kubernetes.placement import Taint

HYPERPOD_TYPE = "ml."
"""Before the instance type in the label of its nodes
(https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-prerequisites.html)."""

HEALTH_TAINT = Taint("sagemaker.amazonaws.com/node-health-status", "Unschedulable", "NoSchedule")
"""Of nodes that are not healthy or are being checked; plugins of the user must tolerate it
(aws/sagemaker-hyperpod-cli@011ca92: helm_chart/readme.md)."""
