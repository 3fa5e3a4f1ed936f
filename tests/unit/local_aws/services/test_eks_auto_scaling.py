"""A node group owns a real Auto Scaling group, and its nodes are instances with the tags that EKS sets."""

from __future__ import annotations

import pytest

NAMES = {"clusterName": "trn", "nodegroupName": "ng"}
TAGS = {
    "eks:cluster-name": "trn",
    "eks:nodegroup-name": "ng",
    "k8s.io/cluster-autoscaler/enabled": "true",
    "k8s.io/cluster-autoscaler/trn": "owned",
    "kubernetes.io/cluster/trn": "owned",
}


@pytest.fixture
def group(eks, cluster, ground):
    """The name of the Auto Scaling group of a node group of two."""
    sizes = {"minSize": 1, "desiredSize": 2, "maxSize": 4}
    eks.create_nodegroup(**NAMES, nodeRole=ground.node_role, subnets=ground.subnets, scalingConfig=sizes)
    found = eks.describe_nodegroup(**NAMES)["nodegroup"]
    return found["resources"]["autoScalingGroups"][0]["name"]


@pytest.fixture
def described(client):
    def describe(name):
        return client("autoscaling").describe_auto_scaling_groups(AutoScalingGroupNames=[name])["AutoScalingGroups"]

    return describe


@pytest.fixture
def nodes(client):
    """Returns the running instances of a group, by id."""

    def find(name):
        wanted = {"tag:aws:autoscaling:groupName": name, "instance-state-name": "running"}
        filters = [{"Name": key, "Values": [value]} for key, value in wanted.items()]
        rows = client("ec2").describe_instances(Filters=filters)["Reservations"]
        return {each["InstanceId"]: each for row in rows for each in row["Instances"]}

    return find


def test_the_group_that_eks_names_has_its_nodes(cluster, ground, group, described, nodes):
    (found,) = described(group)
    assert (found["MinSize"], found["DesiredCapacity"], found["MaxSize"]) == (1, 2, 4)
    assert {tag["Key"]: tag["Value"] for tag in found["Tags"]} == TAGS
    instances = nodes(group)
    assert {each["InstanceId"] for each in found["Instances"]} == set(instances)
    assert {each["SubnetId"] for each in instances.values()} == set(ground.subnets)
    for each in instances.values():
        tags = {tag["Key"]: tag["Value"] for tag in each["Tags"]}
        assert {key: tags.get(key) for key in TAGS} == TAGS
        assert [own["GroupId"] for own in each["SecurityGroups"]] == [
            cluster["resourcesVpcConfig"]["clusterSecurityGroupId"]
        ]


def test_its_size_follows_the_node_group_and_nodes_that_stay_are_the_same(eks, group, described, nodes):
    before = set(nodes(group))
    eks.update_nodegroup_config(**NAMES, scalingConfig={"minSize": 0, "desiredSize": 3})
    assert (described(group)[0]["MinSize"], len(nodes(group))) == (0, 3)
    assert before < set(nodes(group))
    eks.update_nodegroup_config(**NAMES, scalingConfig={"desiredSize": 0})
    assert nodes(group) == {}


def test_an_update_of_the_version_replaces_the_nodes(eks, client, cluster, ground, described, nodes):
    ec2 = client("ec2")
    ec2.create_launch_template(LaunchTemplateName="of-nodes", LaunchTemplateData={"InstanceType": "m7i.large"})
    template = {"name": "of-nodes", "version": "1"}
    eks.create_nodegroup(**NAMES, nodeRole=ground.node_role, subnets=ground.subnets[:1], launchTemplate=template)
    name = eks.describe_nodegroup(**NAMES)["nodegroup"]["resources"]["autoScalingGroups"][0]["name"]
    before = nodes(name)
    assert {each["InstanceType"] for each in before.values()} == {"m7i.large"}
    ec2.create_launch_template_version(LaunchTemplateName="of-nodes", LaunchTemplateData={"InstanceType": "m7i.xlarge"})
    eks.update_nodegroup_version(**NAMES, launchTemplate={"name": "of-nodes", "version": "2"})
    after = nodes(name)
    assert {each["InstanceType"] for each in after.values()} == {"m7i.xlarge"}
    assert len(after) == len(before)
    assert not set(after) & set(before)
    assert described(name)[0]["LaunchTemplate"]["Version"] == "2"
    ec2.delete_launch_template(LaunchTemplateName="of-nodes")


def test_it_goes_with_the_node_group(eks, client, group, described, nodes):
    eks.delete_nodegroup(**NAMES)
    assert (described(group), nodes(group)) == ([], {})
    names = [row["LaunchTemplateName"] for row in client("ec2").describe_launch_templates()["LaunchTemplates"]]
    assert f"eks-{group.removeprefix('eks-ng-')}" not in names
