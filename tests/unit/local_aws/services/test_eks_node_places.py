"""Subnets and groups with nodes stay while they run; a subnet without addresses takes none."""

from __future__ import annotations

import pytest

OWN_GROUND = True

SIZES = {"minSize": 0, "desiredSize": 1, "maxSize": 20}
NAME = {"clusterName": "trn", "nodegroupName": "ng"}
FEW_ADDRESSES = "there are not enough free addresses in the subnet associated with your AutoScaling group(s)."


@pytest.fixture
def ec2(client):
    return client("ec2")


@pytest.fixture
def small(ec2, ground):
    """A subnet of eleven addresses."""
    wish = {"VpcId": ground.vpc, "CidrBlock": "10.0.9.0/28", "AvailabilityZoneId": "usw2-az1"}
    return ec2.create_subnet(**wish)["Subnet"]["SubnetId"]


@pytest.fixture
def group(eks, cluster, ground, small):
    """Makes a node group in the small subnet; its description."""

    def make(**members):
        wish = {**NAME, "nodeRole": ground.node_role, "subnets": [small], "scalingConfig": SIZES, **members}
        eks.create_nodegroup(**wish)
        return eks.describe_nodegroup(clusterName="trn", nodegroupName=wish["nodegroupName"])["nodegroup"]

    return make


@pytest.fixture
def template(ec2, request):
    """Makes a launch template that goes away with the test."""
    made = []

    def make(**data):
        made.append(f"places-{len(made)}")
        ec2.create_launch_template(LaunchTemplateName=made[-1], LaunchTemplateData=data)
        return {"launchTemplate": {"name": made[-1]}}

    yield make
    for name in made:
        ec2.delete_launch_template(LaunchTemplateName=name)


@pytest.fixture
def own(ec2, ground):
    """A security group and a placement group of the nodes."""
    group_id = ec2.create_security_group(GroupName="nodes", Description="x", VpcId=ground.vpc)["GroupId"]
    placement_id = ec2.create_placement_group(GroupName="near", Strategy="cluster")["PlacementGroup"]["GroupId"]
    yield group_id, placement_id
    if ec2.describe_placement_groups()["PlacementGroups"]:
        ec2.delete_placement_group(GroupName="near")


def deletions(ec2, subnet, group_id):
    return [
        (ec2.delete_security_group, {"GroupId": group_id}, "DependencyViolation"),
        (ec2.delete_subnet, {"SubnetId": subnet}, "DependencyViolation"),
        (ec2.delete_placement_group, {"GroupName": "near"}, "InvalidPlacementGroup.InUse"),
    ]


@pytest.mark.parametrize("by_id", [False, True])
def test_what_nodes_are_in_goes_after_them(eks, ec2, group, template, small, own, refused, by_id):
    placement = {"GroupId": own[1]} if by_id else {"GroupName": "near"}
    interface = {"DeviceIndex": 0, "Groups": [own[0]]}
    groups = {"NetworkInterfaces": [interface]} if by_id else {"SecurityGroupIds": [own[0]]}
    assert group(**template(Placement=placement, **groups))["status"] == "ACTIVE"
    for delete, parameters, code in deletions(ec2, small, own[0]):
        assert refused(delete, **parameters)[0] == code
    eks.delete_nodegroup(**NAME)
    for delete, parameters, _ in deletions(ec2, small, own[0]):
        delete(**parameters)


def test_a_group_without_nodes_is_in_nothing(eks, ec2, group, template, small, own):
    group(**template(SecurityGroupIds=[own[0]], Placement={"GroupName": "near"}))
    eks.update_nodegroup_config(**NAME, scalingConfig={"desiredSize": 0})
    for delete, parameters, _ in deletions(ec2, small, own[0]):
        delete(**parameters)


def test_nodes_of_a_new_template_leave_what_the_old_one_named(eks, ec2, group, template, small, own, refused):
    first = template(SecurityGroupIds=[own[0]])
    group(**first)
    name = first["launchTemplate"]["name"]
    ec2.create_launch_template_version(LaunchTemplateName=name, LaunchTemplateData={"EbsOptimized": True})
    eks.update_nodegroup_version(**NAME, launchTemplate={"name": name, "version": "2"})
    ec2.delete_security_group(GroupId=own[0])
    assert refused(ec2.delete_subnet, SubnetId=small)[0] == "DependencyViolation"


def test_what_a_failed_group_started_runs_until_it_is_deleted(eks, ec2, group, template, small, own, refused):
    many = {**SIZES, "desiredSize": 12}
    failed = group(scalingConfig=many, **template(SecurityGroupIds=[own[0]], Placement={"GroupName": "near"}))
    assert failed["status"] == "CREATE_FAILED"
    assert [(each["code"], each["resourceIds"]) for each in failed["health"]["issues"]] == [
        ("InsufficientFreeAddresses", [small])
    ]
    assert failed["health"]["issues"][0]["message"].endswith(FEW_ADDRESSES)
    for delete, parameters, code in deletions(ec2, small, own[0]):
        assert refused(delete, **parameters)[0] == code
    eks.delete_nodegroup(**NAME)
    for delete, parameters, _ in deletions(ec2, small, own[0]):
        delete(**parameters)


def test_a_subnet_has_addresses_for_so_many_nodes(eks, group, ground, small):
    assert group(scalingConfig={**SIZES, "desiredSize": 11})["status"] == "ACTIVE"
    assert group(nodegroupName="more")["status"] == "CREATE_FAILED"
    assert group(nodegroupName="other", subnets=[small, ground.subnets[0]])["status"] == "ACTIVE"
    eks.update_nodegroup_config(**NAME, scalingConfig={"desiredSize": 12})
    assert eks.describe_nodegroup(**NAME)["nodegroup"]["status"] == "DEGRADED"
    eks.update_nodegroup_config(**NAME, scalingConfig={"desiredSize": 11})
    assert eks.describe_nodegroup(**NAME)["nodegroup"]["status"] == "ACTIVE"


def test_each_interface_with_an_address_takes_one(group, template):
    cards = [{"DeviceIndex": index, "NetworkCardIndex": 0} for index in range(2)]
    only = {"DeviceIndex": 1, "NetworkCardIndex": 1, "InterfaceType": "efa-only"}
    data = template(InstanceType="trn1.32xlarge", NetworkInterfaces=[*cards, only])
    assert group(nodegroupName="five", scalingConfig={**SIZES, "desiredSize": 5}, **data)["status"] == "ACTIVE"
    assert group(nodegroupName="sixth", **data)["status"] == "CREATE_FAILED"


def test_a_roll_starts_a_node_beside_the_old_ones(eks, ec2, group, template):
    first = template(EbsOptimized=True)
    group(scalingConfig={**SIZES, "desiredSize": 11}, **first)
    name = first["launchTemplate"]["name"]
    ec2.create_launch_template_version(LaunchTemplateName=name, LaunchTemplateData={"EbsOptimized": False})
    update = eks.update_nodegroup_version(**NAME, launchTemplate={"name": name, "version": "2"})["update"]
    assert (update["status"], update["errors"][0]["errorMessage"].endswith(FEW_ADDRESSES)) == ("Failed", True)
    assert eks.describe_nodegroup(**NAME)["nodegroup"]["launchTemplate"]["version"] == "1"
