"""Clusters, compute node groups and queues of PCS as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from botocore.exceptions import ClientError

from local_aws.contract import Call
from local_aws.handlers.shapes import call_as_properties
from local_aws.launch import template_data
from local_aws.resource_types.shapes import from_api
from neuron_cluster.local_checks.ec2 import LAUNCH_TEMPLATE
from neuron_cluster.local_checks.rule_input import RuleInput, existing, request_reader

CLUSTER, GROUP, QUEUE = "AWS::PCS::Cluster", "AWS::PCS::ComputeNodeGroup", "AWS::PCS::Queue"


@request_reader("pcs", "CreateCluster", "UpdateCluster")
def cluster(call: Call) -> Iterator[RuleInput]:
    yield RuleInput("pcs:CreateCluster", CLUSTER, call_as_properties(call))


@request_reader("pcs", "CreateQueue", "UpdateQueue")
def queue(call: Call) -> Iterator[RuleInput]:
    yield RuleInput("pcs:CreateQueue", QUEUE, call_as_properties(call))


@request_reader("pcs", "CreateComputeNodeGroup", "UpdateComputeNodeGroup")
def compute_node_group(call: Call) -> Iterator[RuleInput]:
    """With its cluster, the other groups of this and its launch template; PCS itself rejects what does not exist."""
    client, given = call.client("pcs"), call_as_properties(call)
    of_cluster = {"clusterIdentifier": given["ClusterIdentifier"]}
    try:
        size = client.get_cluster(**of_cluster)["cluster"]["size"]
        groups = {each["Id"]: each for each in _groups(client, of_cluster)}
    except ClientError:
        return
    names = (given.get("ComputeNodeGroupIdentifier"), given.get("ComputeNodeGroupName"))
    changed = next((key for key, each in groups.items() if key in names or each["Name"] in names), None)
    properties = {**(groups.pop(changed) if changed is not None else {}), **given, "ClusterId": {"Ref": "Cluster"}}
    related = {"Cluster": existing(CLUSTER, {"Size": size})}
    for number, group in enumerate(groups.values()):
        scaling = {"ScalingConfiguration": group["ScalingConfiguration"]}
        related[f"Group{number}"] = existing(GROUP, {"ClusterId": {"Ref": "Cluster"}, **scaling})
    template = _template(call, properties.pop("CustomLaunchTemplate", {}))
    if template is not None:
        related["Template"] = existing(LAUNCH_TEMPLATE, {"LaunchTemplateData": template})
        properties["CustomLaunchTemplate"] = {"TemplateId": {"Ref": "Template"}}
    yield RuleInput("pcs:CreateComputeNodeGroup", GROUP, properties, related)


def _groups(client: Any, of_cluster: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """In CloudFormation's spelling."""
    for row in client.list_compute_node_groups(**of_cluster)["computeNodeGroups"]:
        answer = client.get_compute_node_group(**of_cluster, computeNodeGroupIdentifier=row["id"])
        yield from_api(client, "GetComputeNodeGroup", answer)["ComputeNodeGroup"]


def _template(call: Call, given: Mapping[str, str]) -> dict[str, Any] | None:
    """Its data; None for a template that does not exist, which PCS rejects itself."""
    if not given:
        return None
    try:
        return template_data(call, given["Version"], {"LaunchTemplateId": given["Id"]})
    except ClientError:
        return None
