"""Clusters and node groups as the rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

from local_aws.handlers.shapes import call_as_properties
from local_aws.launch_request import DEFAULT_VERSION, template_data
from local_aws.service import Call
from local_aws.services.eks.nodegroup_rules import new_scaling
from local_aws.services.seed_data import seed_data
from neuron_cluster.local_checks.ec2 import LAUNCH_TEMPLATE, existing_subnet
from neuron_cluster.local_checks.rule_input import RuleInput, existing, request_reader, row_as_properties

CLUSTER = "AWS::EKS::Cluster"
NODE_GROUP = "AWS::EKS::Nodegroup"
UNFIT_TEMPLATE = ("InvalidRequestException", "You must use a valid fully-formed launch template.")
"""What EKS returns when EC2 rejects the template's data (terraform-aws-modules/terraform-aws-eks#1458)."""


@request_reader("eks", "CreateCluster", "UpdateClusterConfig")
def cluster(call: Call) -> Iterator[RuleInput]:
    properties = call_as_properties(call)
    network = dict(properties.get("ResourcesVpcConfig", {}))
    subnets = _subnets(call, network.get("SubnetIds", []))
    if subnets:
        network["SubnetIds"] = [{"Ref": logical_id} for logical_id in subnets]
        yield RuleInput("eks:CreateCluster", CLUSTER, {**properties, "ResourcesVpcConfig": network}, subnets)


@request_reader("eks", "CreateNodegroup")
def new_node_group(call: Call) -> Iterator[RuleInput]:
    """With the sizes that EKS uses where the call sets none."""
    sizes = row_as_properties(new_scaling(call.parameters.get("scalingConfig", {})))
    properties = {**call_as_properties(call), "ScalingConfig": sizes}
    yield from _node_group(call, properties, call.parameters.get("launchTemplate"))


@request_reader("eks", "UpdateNodegroupConfig", "UpdateNodegroupVersion")
def changed_node_group(call: Call) -> Iterator[RuleInput]:
    """The group as it would be after the update; EKS itself rejects a group that does not exist."""
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


def _node_group(call: Call, properties: Mapping[str, Any], template: Mapping[str, str] | None) -> Iterator[RuleInput]:
    data = _template_data(call, template) if template else None
    if data is None:
        yield RuleInput("eks:CreateNodegroup", NODE_GROUP, properties)
        return
    related = {"Template": existing(LAUNCH_TEMPLATE, {"LaunchTemplateData": data})}
    referring = {**properties, "LaunchTemplate": {"Id": {"Ref": "Template"}}}
    yield RuleInput("eks:CreateNodegroup", NODE_GROUP, referring, related)
    for launch in _launches(data, properties.get("InstanceTypes") or seed_data("eks")["default_instance_types"]):
        data_of_type = {"LaunchTemplateData": launch}
        yield RuleInput("ec2:RunInstances", LAUNCH_TEMPLATE, data_of_type, wrapped_error=UNFIT_TEMPLATE)


def _launches(data: dict[str, Any], types: Sequence[str]) -> list[dict[str, Any]]:
    """The data with each of the group's own types, for which the template leaves room."""
    return [data] if data.get("InstanceType") else [{**data, "InstanceType": each} for each in types]


def _template_data(call: Call, given: Mapping[str, str]) -> dict[str, Any] | None:
    """None for a template that does not exist or is named in two ways, which EKS rejects itself."""
    key = {f"LaunchTemplate{name.title()}": given[name] for name in ("id", "name") if name in given}
    try:
        return template_data(call, given.get("version", DEFAULT_VERSION), key)
    except ClientError:
        return None


def _subnets(call: Call, subnet_ids: list[str]) -> dict[str, Any]:
    """The subnets in the request's order; none when one does not exist, which EKS rejects itself."""
    if not subnet_ids:
        return {}
    try:
        rows = call.client("ec2").describe_subnets(SubnetIds=subnet_ids)["Subnets"]
    except ClientError:
        return {}
    by_id = {row["SubnetId"]: row for row in rows}
    return {f"Subnet{number}": existing_subnet(by_id[each]) for number, each in enumerate(subnet_ids) if each in by_id}
