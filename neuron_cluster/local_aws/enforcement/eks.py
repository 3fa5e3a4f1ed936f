"""Clusters and node groups as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

from neuron_cluster.local_aws.enforcement.ec2 import LAUNCH_TEMPLATE, existing_subnet
from neuron_cluster.local_aws.enforcement.subject import Subject, as_properties, existing, reading, row_as_properties
from neuron_cluster.local_aws.launch_request import DEFAULT_VERSION, template_data
from neuron_cluster.local_aws.operations.eks_nodegroup_rules import new_scaling
from neuron_cluster.local_aws.operations.eks_seed import seed
from neuron_cluster.local_aws.service import Call

CLUSTER = "AWS::EKS::Cluster"
NODE_GROUP = "AWS::EKS::Nodegroup"
UNFIT_TEMPLATE = ("InvalidRequestException", "You must use a valid fully-formed launch template.")
"""What EKS answers with when EC2 refuses the template's data (terraform-aws-modules/terraform-aws-eks#1458)."""


@reading("eks", "CreateCluster", "UpdateClusterConfig")
def cluster(call: Call) -> Iterator[Subject]:
    properties = as_properties(call)
    network = dict(properties.get("ResourcesVpcConfig", {}))
    subnets = _subnets(call, network.get("SubnetIds", []))
    if subnets:
        network["SubnetIds"] = [{"Ref": logical_id} for logical_id in subnets]
        yield Subject("eks:CreateCluster", CLUSTER, {**properties, "ResourcesVpcConfig": network}, subnets)


@reading("eks", "CreateNodegroup")
def new_node_group(call: Call) -> Iterator[Subject]:
    """With the sizes that EKS takes where none are said."""
    sizes = row_as_properties(new_scaling(call.parameters.get("scalingConfig", {})))
    properties = {**as_properties(call), "ScalingConfig": sizes}
    yield from _node_group(call, properties, call.parameters.get("launchTemplate"))


@reading("eks", "UpdateNodegroupConfig", "UpdateNodegroupVersion")
def changed_node_group(call: Call) -> Iterator[Subject]:
    """The group as it would be after the update; that there is none, EKS says itself."""
    given = call.parameters
    row = call.table(f"nodegroups/{given['clusterName']}").get(given["nodegroupName"])
    if row is None:
        return
    wanted = {**row, "scalingConfig": {**row["scalingConfig"], **given.get("scalingConfig", {})}}
    properties = {
        name: value
        for name, value in row_as_properties(wanted).items()
        if name in ("CapacityType", "InstanceTypes", "ScalingConfig", "DiskSize", "RemoteAccess", "LaunchTemplate")
    }
    current = row.get("launchTemplate")
    yield from _node_group(call, properties, given.get("launchTemplate", current) if current else None)


def _node_group(call: Call, properties: Mapping[str, Any], template: Mapping[str, str] | None) -> Iterator[Subject]:
    data = _template_data(call, template) if template else None
    if data is None:
        yield Subject("eks:CreateNodegroup", NODE_GROUP, properties)
        return
    beside = {"Template": existing(LAUNCH_TEMPLATE, {"LaunchTemplateData": data})}
    referring = {**properties, "LaunchTemplate": {"Id": {"Ref": "Template"}}}
    yield Subject("eks:CreateNodegroup", NODE_GROUP, referring, beside)
    for launch in _launches(data, properties.get("InstanceTypes") or seed()["default_instance_types"]):
        yield Subject("ec2:RunInstances", LAUNCH_TEMPLATE, {"LaunchTemplateData": launch}, passed_on=UNFIT_TEMPLATE)


def _launches(data: dict[str, Any], types: Sequence[str]) -> list[dict[str, Any]]:
    """The data with each of the group's own types, for which the template leaves room."""
    return [data] if data.get("InstanceType") else [{**data, "InstanceType": each} for each in types]


def _template_data(call: Call, given: Mapping[str, str]) -> dict[str, Any] | None:
    """None for a template that does not exist or is named in two ways, which EKS refuses itself."""
    key = {f"LaunchTemplate{name.title()}": given[name] for name in ("id", "name") if name in given}
    try:
        return template_data(call, given.get("version", DEFAULT_VERSION), key)
    except ClientError:
        return None


def _subnets(call: Call, subnet_ids: list[str]) -> dict[str, Any]:
    """The subnets in the request's order; none when one does not exist, which EKS says itself."""
    if not subnet_ids:
        return {}
    try:
        rows = call.client("ec2").describe_subnets(SubnetIds=subnet_ids)["Subnets"]
    except ClientError:
        return {}
    by_id = {row["SubnetId"]: row for row in rows}
    return {f"Subnet{number}": existing_subnet(by_id[each]) for number, each in enumerate(subnet_ids) if each in by_id}
