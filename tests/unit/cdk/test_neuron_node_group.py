"""The public node group and launch template."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog

from .conftest import CLIENT_GROUP, CLUSTER_GROUP, OtherApp

PLANNABLE = [row.name for row in load_catalog().instance_types if row.can_be_planned and row.launchable]


def launch_data(resource: Callable[[str, str], Any], construct: str) -> Any:
    return resource("AWS::EC2::LaunchTemplate", construct)["LaunchTemplateData"]


@pytest.mark.parametrize("construct", ["Training", "Debug"])
def test_each_network_card_has_an_efa_interface(resource: Callable[[str, str], Any], construct: str) -> None:
    data = launch_data(resource, construct)
    row = load_catalog().instance_types.get(data["InstanceType"])
    assert row is not None
    interfaces = data["NetworkInterfaces"]
    assert [each["NetworkCardIndex"] for each in interfaces] == list(range(row.efa_interfaces or 0))
    assert {each["InterfaceType"] for each in interfaces[1:]} == {"efa-only"}


def test_the_first_interface_has_groups_of_cluster_and_app_and_others_only_efa(
    resource: Callable[[str, str], Any],
) -> None:
    first, *others = launch_data(resource, "Training")["NetworkInterfaces"]
    efa = {"Fn::GetAtt": ["NetworkEfa4518A4AA", "GroupId"]}
    assert first["Groups"] == [efa, CLUSTER_GROUP, CLIENT_GROUP]
    assert all(each["Groups"] == [efa] for each in others)


@pytest.mark.parametrize("construct", ["Training", "Debug"])
def test_metadata_takes_tokens_and_the_volume_is_encrypted(resource: Callable[[str, str], Any], construct: str) -> None:
    data = launch_data(resource, construct)
    assert data["MetadataOptions"]["HttpTokens"] == "required"
    assert [each["Ebs"]["Encrypted"] for each in data["BlockDeviceMappings"]] == [True]


def test_a_launch_template_has_the_lnc_the_script_and_no_node_config(resource: Callable[[str, str], Any]) -> None:
    data = launch_data(resource, "Debug")
    text = data["UserData"]["Fn::Base64"]
    assert "NEURON_LOGICAL_NC_CONFIG=1" in text
    assert text.endswith("echo ready\n--//--\n")
    assert "NodeConfig" not in text
    assert (data["ImageId"], data["BlockDeviceMappings"][0]["DeviceName"]) == ("ami-0123456789abcdef0", "/dev/sda1")
    assert {"Key": "team", "Value": "research"} in data["TagSpecifications"][0]["Tags"]


def test_the_node_group_joins_the_cluster_in_the_subnet_of_its_zone(resource: Callable[[str, str], Any]) -> None:
    group = resource("AWS::EKS::Nodegroup", "Training")
    assert group["ClusterName"] == "shared"
    assert group["Subnets"] == [{"Ref": "NetworkPrivateusw2az46F5520BA"}]
    assert group["ScalingConfig"] == {"MinSize": 0, "DesiredSize": 2, "MaxSize": 4}
    assert group["AmiType"] == "AL2023_x86_64_NEURON"
    assert "NodegroupName" not in group, "a replacement has to have another name"
    assert {"Key": "aws.amazon.com/neuron", "Value": "true", "Effect": "NO_SCHEDULE"} in group["Taints"]


def test_nodes_wait_for_the_routes_of_the_network(template: dict[str, Any]) -> None:
    (group,) = (each for each in template["Resources"].values() if each["Type"] == "AWS::EKS::Nodegroup")
    assert {"NetworkPrivateRouteToNatusw2az4B3DEA6C2", "NetworkEndpoints3CBC88245"} <= set(group["DependsOn"])


def test_a_given_role_and_subnets_are_used(other_app: OtherApp) -> None:
    from aws_cdk.assertions import Template

    from neuron_cluster.cdk import NeuronNodeGroup

    group = NeuronNodeGroup(
        other_app.stack,
        "Serving",
        cluster=other_app.cluster,
        name="inf2",
        instance_type="inf2.xlarge",
        subnet_ids={"usw2-az1": "subnet-1", "usw2-az2": "subnet-2"},
        count={"max": 2},
        node_role_arn="arn:aws:iam::111122223333:role/nodes",
        ami_release="1.36.2-20260714",
        node_repair=False,
    )
    found = Template.from_stack(other_app.stack)
    found.resource_count_is("AWS::IAM::Role", 0)
    expected = {
        "NodeRole": group.node_role_arn,
        "Subnets": ["subnet-1", "subnet-2"],
        "ReleaseVersion": "1.36.2-20260714",
        "NodeRepairConfig": {"Enabled": False},
    }
    found.has_resource_properties("AWS::EKS::Nodegroup", expected)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PLANNABLE)
def test_every_instance_type_that_can_be_planned_has_a_node_group(name: str, other_app: OtherApp) -> None:
    from aws_cdk.assertions import Template

    from neuron_cluster.cdk import NeuronNodeGroup

    NeuronNodeGroup(
        other_app.stack,
        "Nodes",
        cluster=other_app.cluster,
        name="nodes",
        instance_type=name,
        subnet_ids={"usw2-az4": "subnet-1"},
        count={"max": 1},
        efa_security_group_id="sg-1",
    )
    Template.from_stack(other_app.stack).resource_count_is("AWS::EKS::Nodegroup", 1)
