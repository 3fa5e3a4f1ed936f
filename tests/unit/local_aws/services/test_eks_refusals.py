"""Requests that EKS rejects about a cluster and its parts. Each error has a test: `tests/mutation` checks that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import UnknownRegionError

from local_aws.services.eks.names import dns_suffix_of

Refused = Callable[..., tuple[str, str]]
CLUSTER = {"clusterName": "trn"}
TAINT = {"key": "neuron", "value": "a", "effect": "NO_SCHEDULE"}


@pytest.fixture
def make_template(client: Any) -> Callable[..., dict[str, str]]:
    """A new launch template of this data, as EKS names it."""

    def make(name: str, **data: Any) -> dict[str, str]:
        ec2 = client("ec2")
        names = [row["LaunchTemplateName"] for row in ec2.describe_launch_templates()["LaunchTemplates"]]
        if name in names:
            ec2.delete_launch_template(LaunchTemplateName=name)
        ec2.create_launch_template(LaunchTemplateName=name, LaunchTemplateData=data)
        return {"name": name}

    return make


@pytest.fixture
def wish(cluster: dict[str, Any], ground: Any) -> dict[str, Any]:
    """A node group that EKS takes."""
    return {**CLUSTER, "nodegroupName": "ng", "nodeRole": ground.node_role, "subnets": ground.subnets}


def foreign_network(client: Any) -> tuple[list[str], str]:
    """Two subnets and a security group of another VPC."""
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
    subnets = [
        ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.9.{number}.0/24", AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
        for number, zone in enumerate(("usw2-az1", "usw2-az4"))
    ]
    return subnets, ec2.create_security_group(GroupName="foreign", Description="x", VpcId=vpc)["GroupId"]


REFUSED_MEMBERS: list[tuple[dict[str, Any], str]] = [
    ({"nodegroupName": "no spaces"}, "The nodegroup name no spaces must match"),
    (
        {"taints": [{**TAINT, "key": "k" * 64}]},
        "'taints.1.member.key' failed to satisfy constraint: Member must have",
    ),
    ({"labels": {f"example.com/{'n' * 52}": "a"}}, "'labels.key' failed to satisfy constraint: Member must have"),
    ({"taints": [TAINT, {**TAINT, "value": "b"}]}, "Taints must be unique by key and effect."),
    ({"taints": [{**TAINT, "key": f"k{number}"} for number in range(51)]}, "at most 50 taints; 51 are given"),
    ({"labels": {"bad key!": "a"}}, "Label key bad key! is not valid"),
    ({"labels": {"Not_DNS/name": "a"}}, "Label key Not_DNS/name is not valid"),
    ({"labels": {"key": "bad value!"}}, "Label value bad value! of the key key is not valid"),
    ({"labels": {"node-role.kubernetes.io/a": "a"}}, "Label cannot contain reserved prefixes [kubernetes.io/, k8s"),
    ({"labels": {"k8s.io/a": "a"}}, "Label cannot contain reserved prefixes"),
    ({"labels": {"eks.amazonaws.com/a": "a"}}, "Label cannot contain reserved prefixes"),
    ({"labels": {"a" * 64: "a"}}, "Member must have length less than or equal to 63"),
    ({"instanceTypes": ["trn9.48xlarge"]}, "The following supplied instance types do not exist: [trn9.48xlarge]"),
    (
        {"instanceTypes": ["m7g.large"], "amiType": "AL2023_x86_64_STANDARD"},
        "[m7g.large] is not a valid instance type for requested amiType AL2023_x86_64_STANDARD",
    ),
    ({"subnets": []}, "subnets must contain at least one subnet"),
    ({"updateConfig": {"maxUnavailable": 101}}, "maxUnavailable can be at most 100."),
    ({"updateConfig": {"maxUnavailable": 3}}, "max-unavailable must be within the range 1 and max size of the node"),
    ({"capacityType": "CAPACITY_BLOCK"}, "Capacity type CAPACITY_BLOCK needs a launch template."),
    ({"amiType": "CUSTOM"}, "AMI type CUSTOM needs a launch template with an image id."),
    (
        {"launchTemplate": {"id": "lt-0123456789abcdef0", "name": "both"}},
        "Either provide launch template ID or launch template name in the request.",
    ),
]


def test_a_node_group_is_refused(eks: Any, refused: Refused, wish: dict[str, Any]) -> None:
    for members, text in REFUSED_MEMBERS:
        code, message = refused(eks.create_nodegroup, **{**wish, **members})
        assert (code, text in message) == ("InvalidParameterException", True), message


def test_a_reserved_label_is_not_added_later(eks: Any, refused: Refused, wish: dict[str, Any]) -> None:
    eks.create_nodegroup(**wish, labels={"kubernetes.io.example/a": "b"})
    labels = {"addOrUpdateLabels": {"kubernetes.io/a": "b"}}
    code, text = refused(eks.update_nodegroup_config, **CLUSTER, nodegroupName="ng", labels=labels)
    assert (code, "reserved prefixes" in text) == ("InvalidParameterException", True)


def test_a_template_names_groups_that_exist(
    eks: Any, refused: Refused, wish: dict[str, Any], ground: Any, make_template: Callable[..., dict[str, str]]
) -> None:
    nowhere = "sg-00000000000000000"
    group = make_template("grouped", InstanceType="c7i.large", SecurityGroupIds=[nowhere])
    interface = {"DeviceIndex": 0, "Groups": [ground.group, nowhere]}
    card = make_template("carded", InstanceType="c7i.large", NetworkInterfaces=[interface])
    for template in (group, card):
        code, text = refused(eks.create_nodegroup, **wish, launchTemplate=template)
        assert (code, text.endswith(f"'{nowhere}' does not exist")) == ("InvalidRequestException", True)
        assert text.startswith("You must use a valid fully-formed launch template.")
    assert eks.list_nodegroups(**CLUSTER)["nodegroups"] == []


def root(**ebs: Any) -> dict[str, Any]:
    """The data of a template with this root volume."""
    return {"BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": ebs}]}


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"KeyName": "nobody"}, "The key pair 'nobody' does not exist"),
        ({"Placement": {"GroupName": "nowhere"}}, "The Placement Group 'nowhere' is unknown."),
        (root(VolumeSize=100, VolumeType="gp3", Throughput=9999), "Throughput of 9999 MiBps is too high"),
        (root(VolumeSize=100, VolumeType="gp3", Iops=99), "Volume iops of 99 is too low"),
        (root(VolumeSize=10), "Volume of size 10GB is smaller than snapshot 'snap-"),
    ],
)
def test_a_template_is_tried_before_it_is_taken(
    client: Any,
    eks: Any,
    refused: Refused,
    wish: dict[str, Any],
    make_template: Callable[..., dict[str, str]],
    data: dict[str, Any],
    text: str,
) -> None:
    """A new group tries it, and an existing one tries a new version."""
    code, message = refused(eks.create_nodegroup, **wish, launchTemplate=make_template("bad", **data))
    assert (code, text in message) == ("InvalidRequestException", True), message
    assert eks.list_nodegroups(**CLUSTER)["nodegroups"] == []

    fine = make_template("fine", EbsOptimized=True)
    eks.create_nodegroup(**wish, launchTemplate=fine)
    client("ec2").create_launch_template_version(LaunchTemplateName="fine", LaunchTemplateData=data)
    newer = {**fine, "version": "2"}
    code, message = refused(eks.update_nodegroup_version, **CLUSTER, nodegroupName="ng", launchTemplate=newer)
    assert (code, text in message) == ("InvalidRequestException", True), message
    eks.delete_nodegroup(**CLUSTER, nodegroupName="ng")


def test_the_root_volume_holds_the_image_that_the_template_names(
    client: Any, eks: Any, refused: Refused, wish: dict[str, Any], make_template: Callable[..., dict[str, str]]
) -> None:
    parameter = "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/neuron/recommended/image_id"
    image = client("ssm").get_parameter(Name=parameter)["Parameter"]["Value"]
    (reported,) = client("ec2").describe_images(ImageIds=[image])["Images"]
    size = reported["BlockDeviceMappings"][0]["Ebs"]["VolumeSize"]
    small = make_template("small", ImageId=image, **root(VolumeSize=size - 1))
    assert f"expect size>= {size}GB" in refused(eks.create_nodegroup, **wish, launchTemplate=small)[1]
    for name, data in (("large", {"ImageId": image, **root(VolumeSize=size)}), ("other", {"ImageId": "ami-1"})):
        group = {**wish, "nodegroupName": name}
        eks.create_nodegroup(**group, launchTemplate=make_template(name, **{**root(VolumeSize=size), **data}))
        eks.delete_nodegroup(**CLUSTER, nodegroupName=name)


def test_a_template_with_what_there_is_is_taken(
    client: Any, eks: Any, wish: dict[str, Any], ground: Any, make_template: Callable[..., dict[str, str]]
) -> None:
    ec2 = client("ec2")
    ec2.create_key_pair(KeyName="known")
    ec2.create_placement_group(GroupName="known", Strategy="cluster")
    volume = root(VolumeSize=100, VolumeType="gp3", Iops=4000, Throughput=500)
    data = {"KeyName": "known", "Placement": {"GroupName": "known"}, "SecurityGroupIds": [ground.group], **volume}
    eks.create_nodegroup(**wish, launchTemplate=make_template("known", **data))
    assert eks.describe_nodegroup(**CLUSTER, nodegroupName="ng")["nodegroup"]["status"] == "ACTIVE"
    eks.delete_nodegroup(**CLUSTER, nodegroupName="ng")
    ec2.delete_placement_group(GroupName="known")
    ec2.delete_key_pair(KeyName="known")


def test_the_groups_of_a_template_are_of_the_clusters_network(
    client: Any, eks: Any, refused: Refused, wish: dict[str, Any], make_template: Callable[..., dict[str, str]]
) -> None:
    _, group = foreign_network(client)
    template = make_template("foreign", SecurityGroupIds=[group])
    code, text = refused(eks.create_nodegroup, **wish, launchTemplate=template)
    assert (code, "belong to different networks" in text) == ("InvalidRequestException", True)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"InstanceInitiatedShutdownBehavior": "terminate"}, "InstanceInitiatedShutdownBehavior"),
        ({"HibernationOptions": {"Configured": True}}, "HibernationOptions"),
        ({"IamInstanceProfile": {"Name": "own"}}, "should not specify an instance profile"),
    ],
)
def test_a_template_does_not_say_what_eks_says_itself(
    eks: Any,
    refused: Refused,
    wish: dict[str, Any],
    make_template: Callable[..., dict[str, str]],
    data: dict[str, Any],
    text: str,
) -> None:
    code, message = refused(eks.create_nodegroup, **wish, launchTemplate=make_template("own", **data))
    assert (code, text in message) == ("InvalidRequestException", True)


@pytest.mark.parametrize("cidr", ["hello", "1.2.3.4", "10.0.0.0/33"])
def test_the_endpoint_is_open_to_blocks_of_addresses(eks: Any, refused: Refused, ground: Any, cidr: str) -> None:
    network = {"subnetIds": ground.subnets, "publicAccessCidrs": ["192.0.2.0/24", cidr]}
    answer = refused(eks.create_cluster, name="open", roleArn=ground.cluster_role, resourcesVpcConfig=network)
    assert answer == ("InvalidParameterException", f"The following CIDRs are invalid in publicAccessCidrs: [{cidr}]")


def test_only_secrets_are_encrypted(eks: Any, client: Any, refused: Refused, ground: Any) -> None:
    key = client("kms").create_key()["KeyMetadata"]["Arn"]
    given = {"name": "enc", "roleArn": ground.cluster_role, "resourcesVpcConfig": {"subnetIds": ground.subnets}}
    pods = [{"resources": ["pods"], "provider": {"keyArn": key}}]
    code, text = refused(eks.create_cluster, **given, encryptionConfig=pods)
    assert (code, "[secrets]" in text) == ("InvalidParameterException", True)


def test_a_node_group_is_refused_for_its_template(
    eks: Any, refused: Refused, wish: dict[str, Any], make_template: Callable[..., dict[str, str]]
) -> None:
    block = {"InstanceMarketOptions": {"MarketType": "capacity-block"}}
    reservation = {"CapacityReservationTarget": {"CapacityReservationId": "cr-0123456789abcdef0"}}
    without_type = make_template("block", **block, CapacityReservationSpecification=reservation)
    code, message = refused(eks.create_nodegroup, **wish, launchTemplate=without_type, capacityType="CAPACITY_BLOCK")
    assert (code, "needs an instance type" in message) == ("InvalidParameterException", True)
    image = make_template("image", ImageId="ami-0123456789abcdef0")
    code, message = refused(eks.create_nodegroup, **wish, launchTemplate=image, amiType="AL2023_x86_64_NEURON")
    assert (code, "other than CUSTOM" in message) == ("InvalidParameterException", True)
    for instance_type, text in (("trn9.48xlarge", "do not exist"), ("m7g.large", "not a valid instance type")):
        typed = make_template("typed", InstanceType=instance_type)
        code, message = refused(eks.create_nodegroup, **wish, launchTemplate=typed)
        assert (code, text in message) == ("InvalidParameterException", True)
    version = {**make_template("one", InstanceType="m7i.large"), "version": "7"}
    code, message = refused(eks.create_nodegroup, **wish, launchTemplate=version)
    assert code == "InvalidRequestException"
    assert "7" in message


def test_a_new_node_group_and_its_template_do_not_set_the_same(
    eks: Any, refused: Refused, wish: dict[str, Any], make_template: Callable[..., dict[str, str]]
) -> None:
    template = make_template("plain", EbsOptimized=True)
    for members, text in (
        ({"diskSize": 20}, "Disk size must be specified within the launch template."),
        ({"remoteAccess": {"ec2SshKey": "own"}}, "Remote access configuration cannot be specified with a launch"),
        ({"capacityType": "CAPACITY_BLOCK"}, "Capacity type CAPACITY_BLOCK does not match the MarketType none"),
    ):
        code, message = refused(eks.create_nodegroup, **wish, launchTemplate=template, **members)
        assert (code, text in message) == ("InvalidParameterException", True), message


BLOCK = {"MarketType": "capacity-block"}
INTERFACE = {"DeviceIndex": 0, "SubnetId": "subnet-0123456789abcdef0"}
EXCLUDED_DATA: list[tuple[dict[str, Any], str, str]] = [
    ({"InstanceType": "m7i.large"}, "InvalidRequestException", "Cannot specify instance types in launch template and"),
    ({"NetworkInterfaces": [INTERFACE]}, "InvalidRequestException", "You must not specify a subnet in your launch"),
    (
        {"InstanceMarketOptions": {"MarketType": "spot"}},
        "InvalidParameterException",
        "Instance market options are not supported with the launch template.",
    ),
    ({"InstanceMarketOptions": BLOCK}, "InvalidParameterException", "Capacity type ON_DEMAND does not match"),
]


@pytest.mark.parametrize(("data", "code", "text"), EXCLUDED_DATA)
def test_a_template_leaves_out_what_the_node_group_sets(
    client: Any,
    eks: Any,
    refused: Refused,
    wish: dict[str, Any],
    make_template: Callable[..., dict[str, str]],
    data: dict[str, Any],
    code: str,
    text: str,
) -> None:
    """A new group has the rule, and an existing one for a new version."""
    typed = {**wish, "instanceTypes": ["m7i.large"]}
    answer = refused(eks.create_nodegroup, **typed, launchTemplate=make_template("both", **data))
    assert (answer[0], text in answer[1]) == (code, True), answer

    free = make_template("free", EbsOptimized=True)
    eks.create_nodegroup(**typed, launchTemplate=free)
    client("ec2").create_launch_template_version(LaunchTemplateName="free", LaunchTemplateData=data)
    newer = {**free, "version": "2"}
    answer = refused(eks.update_nodegroup_version, **CLUSTER, nodegroupName="ng", launchTemplate=newer)
    assert (answer[0], text in answer[1]) == (code, True), answer
    eks.delete_nodegroup(**CLUSTER, nodegroupName="ng")


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ({"minSize": 4}, "minSize can't be greater than maxSize"),
        ({"minSize": 2}, "Minimum capacity 2 can't be greater than desired size 1"),
        ({"desiredSize": 4}, "desired capacity 4 can't be greater than max size 3"),
    ],
)
def test_sizes_stay_in_order(
    eks: Any, refused: Refused, wish: dict[str, Any], sizes: dict[str, int], text: str
) -> None:
    eks.create_nodegroup(**wish, scalingConfig={"minSize": 1, "desiredSize": 1, "maxSize": 3})
    answer = refused(eks.update_nodegroup_config, **CLUSTER, nodegroupName="ng", scalingConfig=sizes)
    assert answer == ("InvalidParameterException", text)


def test_no_more_nodes_are_unavailable_than_a_group_can_have(eks: Any, refused: Refused, wish: dict[str, Any]) -> None:
    eks.create_nodegroup(**wish, scalingConfig={"minSize": 1, "desiredSize": 1, "maxSize": 3})
    group, more = {**CLUSTER, "nodegroupName": "ng"}, {"maxUnavailable": 4}
    answer = refused(eks.update_nodegroup_config, **group, updateConfig=more)
    text = "max-unavailable must be within the range 1 and max size of the node group"
    assert answer == ("InvalidParameterException", text)
    eks.update_nodegroup_config(**group, updateConfig=more, scalingConfig={"maxSize": 4})


def test_a_cluster_stays_in_two_zones(client: Any, eks: Any, refused: Refused, cluster: Any, ground: Any) -> None:
    second = client("ec2").create_subnet(VpcId=ground.vpc, CidrBlock="10.0.8.0/24", AvailabilityZoneId="usw2-az1")
    one_zone = [ground.subnets[0], second["Subnet"]["SubnetId"]]
    answer = refused(eks.update_cluster_config, name=cluster["name"], resourcesVpcConfig={"subnetIds": one_zone})
    assert answer == ("InvalidParameterException", "Subnets specified must be in at least two different AZs")


def test_an_update_of_a_node_group_is_refused(
    client: Any, eks: Any, refused: Refused, wish: dict[str, Any], make_template: Callable[..., dict[str, str]]
) -> None:
    group = {**CLUSTER, "nodegroupName": "ng"}
    eks.create_nodegroup(**wish)
    assert refused(eks.update_nodegroup_config, **group)[1] == "No configuration to update was specified."
    template = make_template("later", InstanceType="m7i.large")
    _, message = refused(eks.update_nodegroup_version, **group, launchTemplate=template)
    assert "originally deployed with one" in message
    eks.create_nodegroup(**{**wish, "nodegroupName": "own"}, launchTemplate=make_template("own", EbsOptimized=True))
    image = {"ImageId": "ami-0123456789abcdef0"}
    client("ec2").create_launch_template_version(LaunchTemplateName="own", LaunchTemplateData=image)
    newest = {"name": "own", "version": "2"}
    _, message = refused(
        eks.update_nodegroup_version, **CLUSTER, nodegroupName="own", launchTemplate=newest, version="1.34"
    )
    assert "cannot specify a kubernetes version" in message


def test_a_cluster_is_refused_for_its_network(client: Any, eks: Any, refused: Refused, ground: Any) -> None:
    subnets, group = foreign_network(client)
    given = {"name": "new", "roleArn": ground.cluster_role}
    network = {"subnetIds": ground.subnets}
    for wrong, text in (
        ({"subnetIds": []}, "subnetIds must contain at least one subnet"),
        ({"subnetIds": ["subnet-00000000000000000"]}, "subnet-00000000000000000"),
        ({"subnetIds": [ground.subnets[0], subnets[1]]}, "Subnets specified must belong to the same VPC"),
        ({"securityGroupIds": ["sg-00000000000000000"]}, "sg-00000000000000000"),
        ({"securityGroupIds": [group]}, f"Security group(s) [{group}] are not in the same VPC"),
    ):
        code, message = refused(eks.create_cluster, **given, resourcesVpcConfig={**network, **wrong})
        assert (code, text in message) == ("InvalidParameterException", True), message


def test_a_cluster_of_ipv6_has_subnets_with_ipv6(client: Any, eks: Any, refused: Refused, ground: Any) -> None:
    ec2 = client("ec2")
    wish = {
        "name": "six",
        "version": "1.34",
        "roleArn": ground.cluster_role,
        "resourcesVpcConfig": {"subnetIds": ground.subnets},
        "kubernetesNetworkConfig": {"ipFamily": "ipv6"},
    }
    ec2.associate_vpc_cidr_block(VpcId=ground.vpc, AmazonProvidedIpv6CidrBlock=True)
    (vpc,) = ec2.describe_vpcs(VpcIds=[ground.vpc])["Vpcs"]
    blocks = vpc["Ipv6CidrBlockAssociationSet"][0]["Ipv6CidrBlock"].removesuffix("00::/56")
    for number, subnet in enumerate(ground.subnets):
        code, message = refused(eks.create_cluster, **wish)
        assert (code, f"{subnet} has no IPv6 CIDR block" in message) == ("InvalidParameterException", True)
        ec2.associate_subnet_cidr_block(SubnetId=subnet, Ipv6CidrBlock=f"{blocks}{number:02}::/64")
    assert eks.create_cluster(**wish)["cluster"]["kubernetesNetworkConfig"]["ipFamily"] == "ipv6"


def test_an_update_of_a_cluster_is_refused(client: Any, eks: Any, refused: Refused, cluster: Any, ground: Any) -> None:
    subnets, _ = foreign_network(client)
    update = eks.update_cluster_config
    assert refused(update, name="trn")[1] == "No configuration to update was specified."
    same = {"subnetIds": ground.subnets}
    assert refused(update, name="trn", resourcesVpcConfig=same)[1].endswith("at the desired VPC configuration.")
    none: dict[str, Any] = {"subnetIds": []}
    text = "subnetIds must contain at least one subnet"
    assert refused(update, name="trn", resourcesVpcConfig=none) == ("InvalidParameterException", text)
    other = {"subnetIds": subnets}
    assert refused(update, name="trn", resourcesVpcConfig=other)[1].startswith("Provided subnets belong to a different")
    many = {str(number): "x" for number in range(51)}
    code, message = refused(eks.tag_resource, resourceArn=cluster["arn"], tags=many)
    assert (code, message) == ("BadRequestException", "A resource can have at most 50 tags.")
    code, message = refused(eks.describe_update, name="trn", updateId="none")
    assert (code, message) == ("ResourceNotFoundException", "No update found for ID: none")


def test_a_role_of_another_path_is_not_the_role(client: Any, eks: Any, refused: Refused, ground: Any) -> None:
    """IAM finds a role by its name; EKS is given an ARN."""
    arn = ground.cluster_role.replace(":role/", ":role/elsewhere/")
    network = {"subnetIds": ground.subnets}
    code, message = refused(eks.create_cluster, name="new", roleArn=arn, resourcesVpcConfig=network)
    assert (code, "could not be assumed" in message) == ("InvalidParameterException", True)


def test_an_access_policy_is_taken_off_once(client: Any, eks: Any, refused: Refused, cluster: Any, ground: Any) -> None:
    entry = {**CLUSTER, "principalArn": ground.pod_role}
    eks.create_access_entry(**entry)
    arn = "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy"
    code, message = refused(eks.disassociate_access_policy, **entry, policyArn=arn)
    assert (code, "not associated" in message) == ("ResourceNotFoundException", True)


def test_a_region_of_no_partition_has_no_names() -> None:
    with pytest.raises(UnknownRegionError):
        dns_suffix_of("nowhere-1")


def test_addons_are_refused(eks: Any, refused: Refused, cluster: Any) -> None:
    values = {**CLUSTER, "addonName": "vpc-cni", "configurationValues": "a list of words"}
    code, message = refused(eks.create_addon, **values)
    assert (code, "it is not an object" in message) == ("InvalidParameterException", True)
    assert refused(eks.describe_addon_versions, addonName="none")[1] == "Addon specified is not supported"
    assert "leave types out" in refused(eks.describe_addon_versions, types=["storage"])[1]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"name": "c" * 101}, "Member must have length less than or equal to 100"),
        ({"name": "no spaces"}, "regular expression"),
        ({"kubernetesNetworkConfig": {"serviceIpv4Cidr": "8.8.0.0/16"}}, "must be within one of 10.0.0.0/8"),
        ({"kubernetesNetworkConfig": {"serviceIpv4Cidr": "172.20.0.0/25"}}, "must be between /24 and /12"),
        ({"kubernetesNetworkConfig": {"serviceIpv4Cidr": "172.20.0.1/16"}}, "Invalid service CIDR block 172.20.0.1/16"),
    ],
)
def test_a_cluster_out_of_bounds_is_refused(eks: Any, refused: Refused, ground: Any, members: Any, text: str) -> None:
    fine = {"name": "fine", "roleArn": ground.cluster_role, "resourcesVpcConfig": {"subnetIds": ground.subnets}}
    code, message = refused(eks.create_cluster, **{**fine, **members})
    assert (code, text in message) == ("InvalidParameterException", True), message


def test_an_arm_image_takes_an_arm_machine(eks: Any, wish: dict[str, Any]) -> None:
    eks.create_nodegroup(**wish, instanceTypes=["m7g.large"], amiType="AL2023_ARM_64_STANDARD")
    eks.delete_nodegroup(**CLUSTER, nodegroupName="ng")


def test_labels_and_taints_are_held_to_their_bounds_by_an_update_too(
    eks: Any, refused: Refused, wish: dict[str, Any]
) -> None:
    group = {**CLUSTER, "nodegroupName": "ng"}
    eks.create_nodegroup(**wish)
    bad = {"addOrUpdateLabels": {"bad key!": "a"}}
    assert "bad key!" in refused(eks.update_nodegroup_config, **group, labels=bad)[1]
    many = {"addOrUpdateTaints": [{**TAINT, "key": f"k{number}"} for number in range(51)]}
    assert "at most 50 taints" in refused(eks.update_nodegroup_config, **group, taints=many)[1]
    eks.delete_nodegroup(**group)


def test_kube_proxy_is_never_newer_than_the_cluster_nor_much_older(eks: Any, refused: Refused, cluster: Any) -> None:
    minor = int(cluster["version"].split(".")[1])
    proxy = {**CLUSTER, "addonName": "kube-proxy"}
    refusal = ("InvalidParameterException", "Addon version specified is not supported")
    for wrong in ("v9.9.9-eksbuild.9", f"v1.{minor + 1}.0-eksbuild.1", f"v1.{minor - 4}.0-eksbuild.1"):
        assert refused(eks.create_addon, **proxy, addonVersion=wrong) == refusal
    eks.create_addon(**proxy, addonVersion=f"v1.{minor - 3}.0-eksbuild.1")
    assert refused(eks.update_addon, **proxy, addonVersion=f"v1.{minor + 1}.0-eksbuild.1") == refusal
    eks.update_addon(**proxy, addonVersion=f"v1.{minor}.0-eksbuild.1")
    eks.delete_addon(**proxy)
