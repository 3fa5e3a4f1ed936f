"""HyperPod clusters and scheduler configurations as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.contract import Call
from local_aws.handlers.shapes import call_as_properties
from neuron_cluster.local_checks.rule_input import RuleInput, request_reader


@request_reader("sagemaker", "CreateCluster")
def cluster(call: Call) -> Iterator[RuleInput]:
    """An update names only what it changes: the local AWS compares that with the cluster itself."""
    yield RuleInput("sagemaker:CreateCluster", "AWS::SageMaker::Cluster", call_as_properties(call))


@request_reader("sagemaker", "CreateClusterSchedulerConfig", "UpdateClusterSchedulerConfig")
def scheduler_config(call: Call) -> Iterator[RuleInput]:
    yield RuleInput(
        "sagemaker:CreateClusterSchedulerConfig", "AWS::SageMaker::ClusterSchedulerConfig", call_as_properties(call)
    )
