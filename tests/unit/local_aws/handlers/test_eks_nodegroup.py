"""AWS::EKS::Nodegroup: Neuron groups are read back as given and change in place."""

from __future__ import annotations

import pytest
from botocore.exceptions import ClientError
from msgspec import structs

from local_aws.engine.status_reasons import ResourceFailedError

TYPE = "AWS::EKS::Nodegroup"
NEURON_TAINT = {"Key": "aws.amazon.com/neuron", "Value": "true", "Effect": "NO_SCHEDULE"}


@pytest.fixture
def stage(bench, local_aws, make_ground):
    """The workbench with a cluster ``trn`` and a launch template with two versions."""
    local_aws.store.tables.clear()
    bench = structs.replace(bench, account="300000000002")
    ground = make_ground(bench.client)
    network = {"SubnetIds": ground.subnets}
    bench.create(
        "AWS::EKS::Cluster",
        {"Name": "trn", "Version": "1.34", "RoleArn": ground.cluster_role, "ResourcesVpcConfig": network},
    )
    ec2 = bench.client("ec2")
    template = ec2.create_launch_template(
        LaunchTemplateName=f"neuron-{ground.vpc}", LaunchTemplateData={"InstanceType": "trn1.32xlarge"}
    )["LaunchTemplate"]["LaunchTemplateId"]
    ec2.create_launch_template_version(LaunchTemplateId=template, LaunchTemplateData={"InstanceType": "trn1.2xlarge"})
    return bench, ground, template


@pytest.fixture
def given(stage):
    _, ground, template = stage
    return {
        "ClusterName": "trn",
        "NodegroupName": "trn1-0a1b2c3d",
        "AmiType": "AL2023_x86_64_NEURON",
        "CapacityType": "ON_DEMAND",
        "NodeRole": ground.node_role,
        "Subnets": ground.subnets[:1],
        "ReleaseVersion": "1.34.9-20260714",
        "ScalingConfig": {"MinSize": 0, "DesiredSize": "2", "MaxSize": 16},
        "LaunchTemplate": {"Id": template, "Version": "1"},
        "Labels": {"neuron-cluster/group": "trn1", "Team": "research"},
        "Taints": [NEURON_TAINT],
        "UpdateConfig": {"MaxUnavailablePercentage": 50},
        "NodeRepairConfig": {
            "Enabled": True,
            "MaxUnhealthyNodeThresholdCount": 3,
            "NodeRepairConfigOverrides": [
                {
                    "NodeMonitoringCondition": "AcceleratedHardwareReady",
                    "NodeUnhealthyReason": "NeuronDMAError",
                    "MinRepairWaitTimeMins": 10,
                    "RepairAction": "Reboot",
                }
            ],
        },
        "Tags": {"environment": "train"},
    }


def test_what_is_given_is_read_back(stage, given, holds):
    bench, *_ = stage
    group = bench.create(TYPE, given)
    assert group.physical_id == "trn/trn1-0a1b2c3d"
    assert group.attributes["Id"] == "trn/trn1-0a1b2c3d"
    assert group.attributes["Arn"].split("/")[1:3] == ["trn", "trn1-0a1b2c3d"]
    assert holds(bench.read(TYPE, group), given)


def test_settings_change_in_place(stage, given, holds):
    bench, *_ = stage
    group = bench.create(TYPE, given)
    new = {
        **given,
        "ScalingConfig": {"MinSize": 1, "DesiredSize": 3, "MaxSize": 20},
        "Labels": {"neuron-cluster/group": "other"},
        "Taints": [{**NEURON_TAINT, "Value": "yes"}, {"Key": "team", "Value": "a", "Effect": "NO_EXECUTE"}],
        "UpdateConfig": {"MaxUnavailable": 2},
        "NodeRepairConfig": {"Enabled": False},
        "Tags": {"environment": "other", "more": "x"},
    }
    changed = bench.update(TYPE, group, given, new)
    assert changed.attributes == group.attributes
    read = bench.read(TYPE, changed)
    assert holds(read, new)
    assert read["Labels"] == new["Labels"]
    assert read["NodeRepairConfig"] == {"Enabled": False}


def test_settings_taken_away_go_back_to_the_defaults(stage, given):
    bench, *_ = stage
    group = bench.create(TYPE, given)
    gone = ("Labels", "Taints", "UpdateConfig", "NodeRepairConfig", "Tags")
    bench.update(TYPE, group, given, {name: value for name, value in given.items() if name not in gone})
    read = bench.read(TYPE, group)
    assert (read["Labels"], read["Taints"], read["Tags"]) == ({}, [], {})
    assert read["UpdateConfig"] == {"MaxUnavailable": 1}
    assert read["NodeRepairConfig"] == {"Enabled": False}


def test_another_template_version_changes_in_place(stage, given):
    bench, _, template = stage
    group = bench.create(TYPE, given)
    new = {**given, "LaunchTemplate": {"Id": template, "Version": "2"}}
    bench.update(TYPE, group, given, new)
    read = bench.read(TYPE, group)
    assert read["LaunchTemplate"]["Version"] == "2"
    assert read["ReleaseVersion"] == "1.34.9-20260714"


def test_a_release_changes_alone(stage, given):
    bench, *_ = stage
    group = bench.create(TYPE, given)
    new = {**given, "ReleaseVersion": "1.34.3-20260901", "ForceUpdateEnabled": True}
    bench.update(TYPE, group, given, new)
    assert bench.read(TYPE, group)["ReleaseVersion"] == "1.34.3-20260901"


@pytest.mark.parametrize("other", [{"Labels": {"a": "b"}}, {"LaunchTemplate": {"Version": "2"}}])
def test_a_release_is_not_combined_with_anything(stage, given, other):
    bench, _, template = stage
    group = bench.create(TYPE, given)
    if "LaunchTemplate" in other:
        other = {"LaunchTemplate": {"Id": template, "Version": "2"}}
    new = {**given, "ReleaseVersion": "1.34.3-20260901", **other}
    with pytest.raises(ClientError, match="Version and ReleaseVersion updates cannot be combined with other updates"):
        bench.update(TYPE, group, given, new)
    assert bench.read(TYPE, group)["ReleaseVersion"] == "1.34.9-20260714"


def test_a_name_is_made_up_when_none_is_given(stage, given):
    bench, *_ = stage
    group = bench.create(TYPE, {name: value for name, value in given.items() if name != "NodegroupName"})
    assert group.physical_id.startswith("trn/workbench-Thing-")


@pytest.mark.parametrize(
    "wrong",
    [
        {"AmiTypes": "x"},
        {"ScalingConfig": {"MinSizes": 1}},
        {"Taints": [{"Keyy": "a"}]},
        {"NodeRepairConfig": {"On": 1}},
    ],
)
def test_a_misspelt_property_fails(stage, given, wrong):
    bench, *_ = stage
    with pytest.raises(ResourceFailedError, match="extraneous key"):
        bench.create(TYPE, {**given, **wrong})
    assert bench.client("eks").list_nodegroups(clusterName="trn")["nodegroups"] == []


def test_the_cluster_goes_after_its_groups(stage, given):
    bench, *_ = stage
    group = bench.create(TYPE, given)
    cluster = structs.replace(group, physical_id="trn")
    with pytest.raises(ClientError, match="Cluster has nodegroups attached"):
        bench.delete("AWS::EKS::Cluster", cluster, {})
    bench.delete(TYPE, group, given)
    bench.delete("AWS::EKS::Cluster", cluster, {})
    bench.delete(TYPE, group, given)
    assert bench.client("eks").list_clusters()["clusters"] == []
