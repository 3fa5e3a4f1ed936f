"""Managed node groups: their shape, their launch templates, what EKS refuses."""

from __future__ import annotations

import pytest

from tests.every_case import every_case


@pytest.fixture
def wish(ground):
    return {
        "clusterName": "trn",
        "nodegroupName": "ng",
        "subnets": ground.subnets[:1],
        "nodeRole": ground.node_role,
        "amiType": "AL2023_x86_64_NEURON",
        "scalingConfig": {"minSize": 0, "maxSize": 4, "desiredSize": 2},
    }


@pytest.fixture
def new_template(client):
    """Makes a launch template, or the next version of one; gives its id."""

    def make(name="neuron", **data):
        ec2 = client("ec2")
        return ec2.create_launch_template(LaunchTemplateName=name, LaunchTemplateData=data)["LaunchTemplate"][
            "LaunchTemplateId"
        ]

    return make


@pytest.fixture(autouse=True)
def templates_of_one_test(client):
    """The tests share an account; a template does not go away with its test otherwise."""
    yield
    ec2 = client("ec2")
    for template in ec2.describe_launch_templates()["LaunchTemplates"]:
        ec2.delete_launch_template(LaunchTemplateId=template["LaunchTemplateId"])


def described(eks):
    return eks.describe_nodegroup(clusterName="trn", nodegroupName="ng")["nodegroup"]


def test_a_group_without_template_gets_the_defaults_of_eks(eks, cluster, wish):
    eks.create_nodegroup(**{k: v for k, v in wish.items() if k not in ("amiType", "scalingConfig")})
    group = described(eks)
    assert group["status"] == "ACTIVE"
    assert group["version"] == "1.34"
    assert group["amiType"] == "AL2023_x86_64_STANDARD"
    assert group["instanceTypes"] == ["t3.medium"]
    assert group["diskSize"] == 20
    assert group["scalingConfig"] == {"minSize": 1, "maxSize": 2, "desiredSize": 2}
    assert group["updateConfig"] == {"maxUnavailable": 1}
    assert group["resources"]["autoScalingGroups"][0]["name"].startswith("eks-ng-")
    assert group["health"] == {"issues": []}


@pytest.mark.parametrize("version", ["1.33", "1.31"])
def test_a_group_may_be_three_minor_versions_behind_its_cluster(eks, cluster, wish, version):
    eks.create_nodegroup(**wish, version=version)
    assert described(eks)["version"] == version


def test_a_template_brings_the_instance_type_and_takes_a_number_as_version(eks, cluster, wish, new_template):
    template_id = new_template(InstanceType="trn1.32xlarge")
    eks.create_nodegroup(**wish, launchTemplate={"name": "neuron"})
    group = described(eks)
    assert group["launchTemplate"] == {"id": template_id, "name": "neuron", "version": "1"}
    assert "instanceTypes" not in group
    assert "diskSize" not in group


@pytest.mark.parametrize(
    ("members", "code", "text"),
    [
        (
            {"instanceTypes": ["trn1.2xlarge"]},
            "InvalidRequestException",
            "Cannot specify instance types in launch template and API request",
        ),
        ({"diskSize": 50}, "InvalidParameterException", "Disk size must be specified within the launch template."),
        (
            {"remoteAccess": {"ec2SshKey": "key"}},
            "InvalidParameterException",
            "Remote access configuration cannot be specified with a launch template.",
        ),
        ({"capacityType": "CAPACITY_BLOCK"}, "InvalidParameterException", "does not match the MarketType"),
    ],
)
def test_what_may_not_stand_beside_a_template(*, eks, cluster, wish, new_template, refused, members, code, text):
    template = {"id": new_template(InstanceType="trn1.32xlarge")}
    answered = refused(eks.create_nodegroup, **wish, launchTemplate=template, **members)
    assert answered[0] == code
    assert text in answered[1]


def test_remote_access_names_a_key_pair_that_exists(eks, client, cluster, wish, refused):
    remote = {"remoteAccess": {"ec2SshKey": "of-the-team"}}
    code, text = refused(eks.create_nodegroup, **wish, **remote)
    assert (code, "'of-the-team' does not exist" in text) == ("InvalidRequestException", True)
    client("ec2").create_key_pair(KeyName="of-the-team")
    eks.create_nodegroup(**wish, **remote)
    assert described(eks)["remoteAccess"] == {"ec2SshKey": "of-the-team"}
    client("ec2").delete_key_pair(KeyName="of-the-team")


def test_a_capacity_block_needs_its_market_in_the_template(eks, cluster, wish, new_template):
    market = {"MarketType": "capacity-block"}
    target = {"CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"}}
    template = {
        "id": new_template(
            InstanceType="trn2.48xlarge", InstanceMarketOptions=market, CapacityReservationSpecification=target
        )
    }
    before_the_block = {**wish, "scalingConfig": {"minSize": 0, "maxSize": 4, "desiredSize": 0}}
    eks.create_nodegroup(**before_the_block, launchTemplate=template, capacityType="CAPACITY_BLOCK")
    assert described(eks)["capacityType"] == "CAPACITY_BLOCK"


def test_a_custom_image_takes_no_versions(eks, cluster, wish, new_template, refused):
    template = {"id": new_template(InstanceType="trn1.32xlarge", ImageId="ami-12345678")}
    given = {k: v for k, v in wish.items() if k != "amiType"}
    message = refused(eks.create_nodegroup, **given, launchTemplate=template, version="1.34")[1]
    assert message.startswith("You cannot specify a kubernetes version")
    eks.create_nodegroup(**given, launchTemplate=template)
    assert described(eks)["amiType"] == "CUSTOM"


@pytest.mark.parametrize(
    "data",
    [
        {"IamInstanceProfile": {"Name": "profile"}},
        {"NetworkInterfaces": [{"DeviceIndex": 0, "SubnetId": "subnet-12345678"}]},
    ],
)
def test_what_eks_sets_itself_may_not_stand_in_the_template(*, eks, cluster, wish, new_template, refused, data):
    template = {"id": new_template(InstanceType="trn1.32xlarge", **data)}
    assert refused(eks.create_nodegroup, **wish, launchTemplate=template)[0] == "InvalidRequestException"


@every_case(
    "members, text",
    [
        (
            {"scalingConfig": {"minSize": 3, "maxSize": 4, "desiredSize": 2}},
            "minSize can't be greater than desiredSize",
        ),
        (
            {"scalingConfig": {"minSize": 0, "maxSize": 4, "desiredSize": 5}},
            "desiredSize can't be greater than maxSize",
        ),
        ({"scalingConfig": {"minSize": 5, "maxSize": 4, "desiredSize": 5}}, "minSize can't be greater than maxSize"),
        ({"scalingConfig": {"minSize": 3}}, "minSize can't be greater than maxSize"),
        ({"nodeRole": "arn:aws:iam::300000000000:role/none"}, "The role with name none cannot be found."),
        ({"subnets": ["subnet-00000000"]}, "does not exist"),
        ({"version": "1.30"}, "1.34 supports the following Nodegroup Kubernetes versions: [1.34, 1.33, 1.32, 1.31]"),
        ({"version": "1.35"}, "1.34 supports the following Nodegroup Kubernetes versions: [1.34, 1.33, 1.32, 1.31]"),
        ({"releaseVersion": "1.33.5-20260101"}, "is not valid for kubernetes version 1.34"),
        ({"launchTemplate": {"id": "lt-00000000000000000"}}, "does not exist"),
        ({"diskSize": 0}, "must be at least 1 GiB, got 0"),
        ({"updateConfig": {"maxUnavailable": 1, "maxUnavailablePercentage": 5}}, "Only one of maxUnavailable"),
        (
            {"nodeRepairConfig": {"maxUnhealthyNodeThresholdCount": 2, "maxUnhealthyNodeThresholdPercentage": 20}},
            "Only one of maxUnhealthyNodeThresholdCount and maxUnhealthyNodeThresholdPercentage",
        ),
        (
            {"nodeRepairConfig": {"maxParallelNodesRepairedCount": 1, "maxParallelNodesRepairedPercentage": 10}},
            "Only one of maxParallelNodesRepairedCount and maxParallelNodesRepairedPercentage",
        ),
        (
            {"nodeRepairConfig": {"nodeRepairConfigOverrides": [{"nodeUnhealthyReason": "NeuronDMAError"}]}},
            "nodeMonitoringCondition, minRepairWaitTimeMins, repairAction must be specified",
        ),
    ],
)
def test_what_a_group_may_not_ask(*, eks, cluster, wish, refused, members, text):
    assert text in refused(eks.create_nodegroup, **{**wish, **members})[1]
    assert eks.list_nodegroups(clusterName="trn")["nodegroups"] == []


def test_a_subnet_of_another_vpc_is_refused(eks, client, cluster, wish, refused):
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.9.0.0/24")["Subnet"]["SubnetId"]
    code, message = refused(eks.create_nodegroup, **{**wish, "subnets": [subnet]})
    assert code == "InvalidParameterException"
    assert "does not belong to the VPC of the cluster" in message


def test_a_taken_name_and_an_unknown_one(eks, cluster, wish, refused):
    eks.create_nodegroup(**wish)
    assert refused(eks.create_nodegroup, **wish) == (
        "ResourceInUseException",
        "NodeGroup already exists with name ng and cluster name trn",
    )
    assert refused(eks.describe_nodegroup, clusterName="trn", nodegroupName="x") == (
        "ResourceNotFoundException",
        "No node group found for name: x.",
    )


def test_the_node_role_is_admitted_while_a_group_uses_it(eks, cluster, wish):
    eks.create_nodegroup(**wish)
    entry = eks.describe_access_entry(clusterName="trn", principalArn=wish["nodeRole"])["accessEntry"]
    assert (entry["type"], entry["kubernetesGroups"]) == ("EC2_LINUX", ["system:nodes"])
    eks.delete_nodegroup(clusterName="trn", nodegroupName="ng")
    assert eks.list_access_entries(clusterName="trn")["accessEntries"] == []


def test_the_newest_release_comes_from_the_public_parameter(eks, client, cluster, wish):
    pinned = {**wish, "releaseVersion": "1.34.9-20260714"}
    eks.create_nodegroup(**pinned)
    assert described(eks)["releaseVersion"] == "1.34.9-20260714"


def test_labels_and_taints_change_one_by_one(eks, cluster, wish):
    taint = {"key": "aws.amazon.com/neuron", "value": "true", "effect": "NO_SCHEDULE"}
    eks.create_nodegroup(**wish, labels={"a": "1", "b": "2"}, taints=[taint])
    eks.update_nodegroup_config(
        clusterName="trn",
        nodegroupName="ng",
        labels={"addOrUpdateLabels": {"b": "3", "c": "4"}, "removeLabels": ["a"]},
        taints={"addOrUpdateTaints": [{**taint, "value": "yes"}]},
    )
    group = described(eks)
    assert group["labels"] == {"b": "3", "c": "4"}
    assert group["taints"] == [{**taint, "value": "yes"}]
    (update_id,) = eks.list_updates(name="trn", nodegroupName="ng")["updateIds"]
    assert eks.list_updates(name="trn")["updateIds"] == []
    reported = eks.describe_update(name="trn", nodegroupName="ng", updateId=update_id)["update"]
    assert reported["type"] == "ConfigUpdate"


def test_a_size_out_of_order_changes_nothing(eks, cluster, wish, refused):
    eks.create_nodegroup(**wish)
    message = refused(eks.update_nodegroup_config, clusterName="trn", nodegroupName="ng", scalingConfig={"minSize": 3})[
        1
    ]
    assert message == "Minimum capacity 3 can't be greater than desired size 2"
    assert described(eks)["scalingConfig"]["minSize"] == 0


def test_another_version_of_the_template_rolls_nothing_else(eks, client, cluster, wish, new_template):
    template_id = new_template(InstanceType="trn1.32xlarge")
    eks.create_nodegroup(**wish, launchTemplate={"id": template_id}, releaseVersion="1.34.9-20260714")
    client("ec2").create_launch_template_version(
        LaunchTemplateId=template_id, LaunchTemplateData={"InstanceType": "trn1.32xlarge", "EbsOptimized": True}
    )
    eks.update_nodegroup_version(
        clusterName="trn", nodegroupName="ng", launchTemplate={"id": template_id, "version": "2"}
    )
    group = described(eks)
    assert group["launchTemplate"]["version"] == "2"
    assert group["releaseVersion"] == "1.34.9-20260714"


def test_a_group_keeps_its_template_for_life(eks, cluster, wish, new_template, refused):
    eks.create_nodegroup(**wish, launchTemplate={"id": new_template(InstanceType="trn1.32xlarge")})
    other = {"id": new_template("other", InstanceType="trn1.32xlarge")}
    message = refused(eks.update_nodegroup_version, clusterName="trn", nodegroupName="ng", launchTemplate=other)[1]
    assert message.startswith("You must specify the same launch template ID or name")


def test_a_group_never_goes_back(eks, cluster, wish, refused):
    eks.create_nodegroup(**wish)
    assert refused(eks.update_nodegroup_version, clusterName="trn", nodegroupName="ng", version="1.33")[0] == (
        "InvalidParameterException"
    )


def test_brakes_that_contradict_each_other_are_refused_of_an_update_too(eks, cluster, wish, refused):
    eks.create_nodegroup(**wish)
    both = {"maxUnhealthyNodeThresholdCount": 2, "maxUnhealthyNodeThresholdPercentage": 20}
    asked = {"clusterName": "trn", "nodegroupName": "ng", "nodeRepairConfig": both}
    assert "Only one of" in refused(eks.update_nodegroup_config, **asked)[1]
