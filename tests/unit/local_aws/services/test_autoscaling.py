"""Auto Scaling groups meet what RunInstances meets: quotas, reservations, zones, addresses, checks of the template."""

from __future__ import annotations

import json

import pytest

from local_aws.clients import local_client
from local_aws.quotas import set_quota
from tests.every_case import every_case

ACCOUNT, REGION = "310000000000", "us-west-2"
TRN = "L-2C3B7624"
DATA = {"ImageId": "ami-12345678", "InstanceType": "trn1.32xlarge"}


@pytest.fixture
def client(local_aws):
    local_aws.empty()
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture
def ec2(client):
    return client("ec2")


@pytest.fixture
def asg(client):
    return client("autoscaling")


@pytest.fixture
def subnets(ec2):
    """Returns subnets by name: two large ones, in zones that offer trn1, and one of eleven addresses."""
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    places = {
        "az4": ("10.0.0.0/24", "usw2-az4"),
        "az1": ("10.0.1.0/24", "usw2-az1"),
        "few": ("10.0.2.0/28", "usw2-az4"),
    }
    return {
        name: ec2.create_subnet(VpcId=vpc, CidrBlock=cidr, AvailabilityZoneId=zone)["Subnet"]["SubnetId"]
        for name, (cidr, zone) in places.items()
    }


@pytest.fixture
def group(asg, ec2, subnets):
    """Makes a group of so many, of a template of its own; its description."""

    def make(desired, data=None, *, name="g", where=("az4",), **more):
        template = {"LaunchTemplateName": f"template-{name}", "Version": "1"}
        wanted = {key: value for key, value in {**DATA, **(data or {})}.items() if value is not None}
        ec2.create_launch_template(LaunchTemplateName=template["LaunchTemplateName"], LaunchTemplateData=wanted)
        asg.create_auto_scaling_group(
            AutoScalingGroupName=name,
            MinSize=0,
            MaxSize=200,
            DesiredCapacity=desired,
            VPCZoneIdentifier=",".join(subnets[each] for each in where),
            LaunchTemplate=template,
            **more,
        )
        return described(asg, name)

    return make


def described(asg, name="g"):
    (found,) = asg.describe_auto_scaling_groups(AutoScalingGroupNames=[name])["AutoScalingGroups"]
    return found


def running(ec2):
    wanted = [{"Name": "instance-state-name", "Values": ["running"]}]
    return [each for row in ec2.describe_instances(Filters=wanted)["Reservations"] for each in row["Instances"]]


def failures(asg, name="g"):
    rows = asg.describe_scaling_activities(AutoScalingGroupName=name)["Activities"]
    return [row["StatusMessage"] for row in rows if row["StatusCode"] == "Failed"]


def test_a_group_beyond_the_quota_starts_what_fits_and_says_why_the_others_do_not(local_aws, asg, ec2, group):
    set_quota(local_aws.store, ACCOUNT, REGION, TRN, 3 * 128)
    found = group(200)
    assert (found["DesiredCapacity"], len(found["Instances"]), len(running(ec2))) == (200, 3, 3)
    (text,) = failures(asg)
    assert text.startswith("You have requested more vCPU capacity than your current vCPU limit of 384 allows")
    assert text.endswith("Launching EC2 instance failed.")


def test_its_instances_count_before_anything_describes_them(local_aws, ec2, asg, group, subnets, refused):
    set_quota(local_aws.store, ACCOUNT, REGION, TRN, 2 * 128)
    group(0)
    asg.set_desired_capacity(AutoScalingGroupName="g", DesiredCapacity=2)
    wish = {**DATA, "SubnetId": subnets["az4"], "MinCount": 1, "MaxCount": 1}
    assert refused(ec2.run_instances, **wish)[0] == "VcpuLimitExceeded"
    free = ec2.describe_subnets(SubnetIds=[subnets["az4"]])["Subnets"][0]["AvailableIpAddressCount"]
    assert free == 251 - 2
    assert refused(ec2.delete_subnet, SubnetId=subnets["az4"])[0] == "DependencyViolation"
    assert len(described(asg)["Instances"]) == 2
    assert refused(ec2.run_instances, **wish)[0] == "VcpuLimitExceeded"
    assert ec2.describe_subnets(SubnetIds=[subnets["az4"]])["Subnets"][0]["AvailableIpAddressCount"] == free


def test_a_subnet_without_addresses_leaves_nothing_behind(asg, ec2, group, subnets, refused):
    found = group(40, {"InstanceType": "m7i.large"}, where=("few",))
    assert {each["InstanceId"] for each in found["Instances"]} == {each["InstanceId"] for each in running(ec2)}
    assert len(found["Instances"]) == 11
    (text,) = failures(asg)
    assert text.startswith("There are not enough free addresses in subnet")
    code, _ = refused(asg.delete_auto_scaling_group, AutoScalingGroupName="g")
    assert code == "ResourceInUse"
    asg.delete_auto_scaling_group(AutoScalingGroupName="g", ForceDelete=True)
    assert running(ec2) == []
    ec2.delete_subnet(SubnetId=subnets["few"])


def test_zones_are_balanced_and_one_without_a_place_gives_way(ec2, group, subnets):
    group(5, {"InstanceType": "m7i.large"}, where=("az4", "az1"))
    placed = [each["SubnetId"] for each in running(ec2)]
    assert sorted(placed.count(subnets[each]) for each in ("az4", "az1")) == [2, 3]
    beside = group(20, {"InstanceType": "m7i.large"}, name="h", where=("few", "az1"))
    zones = [each["AvailabilityZone"] for each in beside["Instances"]]
    assert sorted(zones.count(zone) for zone in set(zones)) == [10, 10]
    more = group(4, {"InstanceType": "m7i.large"}, name="i", where=("few", "az1"))
    assert len(more["Instances"]) == 4


def test_a_reservation_is_met_and_shown(ec2, asg, group):
    row = ec2.create_capacity_reservation(
        InstanceType="trn1.32xlarge",
        InstanceCount=2,
        AvailabilityZoneId="usw2-az4",
        InstancePlatform="Linux/UNIX",
        InstanceMatchCriteria="targeted",
    )["CapacityReservation"]["CapacityReservationId"]
    into = {"CapacityReservationSpecification": {"CapacityReservationTarget": {"CapacityReservationId": row}}}
    group(0, into)
    asg.set_desired_capacity(AutoScalingGroupName="g", DesiredCapacity=3)
    reported = ec2.describe_capacity_reservations(CapacityReservationIds=[row])["CapacityReservations"][0]
    assert reported["AvailableInstanceCount"] == 0
    assert [each["CapacityReservationId"] for each in running(ec2)] == [row, row]
    assert len(failures(asg)) == 1


def test_an_instance_has_all_of_its_template_and_the_tags_of_its_group(ec2, group):
    group_id = ec2.create_security_group(GroupName="x", Description="x", VpcId=vpc_of(ec2))["GroupId"]
    interfaces = [
        {"DeviceIndex": 0, "NetworkCardIndex": 0, "InterfaceType": "efa", "Groups": [group_id]},
        {"DeviceIndex": 1, "NetworkCardIndex": 1, "InterfaceType": "efa-only", "Groups": [group_id]},
    ]
    disk = {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 512, "VolumeType": "gp3", "Iops": 6000}}
    own = {"ResourceType": "instance", "Tags": [{"Key": "from", "Value": "template"}]}
    tag = {"Key": "team", "Value": "research", "PropagateAtLaunch": True}
    group(
        1,
        {"NetworkInterfaces": interfaces, "BlockDeviceMappings": [disk], "TagSpecifications": [own]},
        Tags=[tag, {"Key": "of", "Value": "group", "PropagateAtLaunch": False}],
    )
    (instance,) = running(ec2)
    assert [each["InterfaceType"] for each in instance["NetworkInterfaces"]] == ["efa", "efa-only"]
    assert ec2.describe_volumes()["Volumes"][0]["Iops"] == 6000
    tags = {each["Key"]: each["Value"] for each in instance["Tags"]}
    assert (tags["from"], tags["team"], tags["aws:autoscaling:groupName"]) == ("template", "research", "g")
    assert tags["aws:ec2launchtemplate:version"] == "1"
    assert "of" not in tags


def vpc_of(ec2):
    return next(each["VpcId"] for each in ec2.describe_vpcs()["Vpcs"] if not each["IsDefault"])


def test_what_ends_is_replaced_and_what_is_too_much_ends(ec2, asg, group):
    before = {each["InstanceId"] for each in group(3)["Instances"]}
    ended = min(before)
    ec2.terminate_instances(InstanceIds=[ended])
    after = {each["InstanceId"] for each in described(asg)["Instances"]}
    assert (len(after), after & before) == (3, before - {ended})
    asg.set_desired_capacity(AutoScalingGroupName="g", DesiredCapacity=1)
    assert (len(described(asg)["Instances"]), len(running(ec2))) == (1, 1)


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        ({"AutoScalingGroupName": "g"}, "AlreadyExists", "A group with the name g already exists"),
        (
            {"MinSize": 3, "MaxSize": 2},
            "ValidationError",
            "Max bound, 2, must be greater than or equal to min bound, 3",
        ),
        ({"DesiredCapacity": 9}, "ValidationError", "Desired capacity:9 must be between the specified min size:0"),
        (
            {"LaunchTemplate": {"LaunchTemplateName": "bad-key"}},
            "ValidationError",
            "The key pair 'none' does not exist",
        ),
        (
            {"LaunchTemplate": {"LaunchTemplateName": "not-there"}},
            "ValidationError",
            "You must use a valid fully-formed",
        ),
    ],
)
def test_what_a_new_group_is_refused_for(asg, ec2, group, subnets, refused, change, code, text):
    group(0)
    ec2.create_launch_template(LaunchTemplateName="bad-key", LaunchTemplateData={**DATA, "KeyName": "none"})
    template = {"LaunchTemplateName": "template-g"}
    wish = {"AutoScalingGroupName": "new", "MinSize": 0, "MaxSize": 2, "LaunchTemplate": template}
    found = refused(asg.create_auto_scaling_group, VPCZoneIdentifier=subnets["az4"], **{**wish, **change})
    assert found[0] == code
    assert text in found[1]


@pytest.fixture
def group_of_one(asg, group):
    """A group with one instance at least."""
    group(1)
    asg.update_auto_scaling_group(AutoScalingGroupName="g", MinSize=1)


@every_case(
    "operation, wish, text",
    [
        ("update_auto_scaling_group", {"MinSize": 201}, "Max bound, 200,"),
        ("update_auto_scaling_group", {"DesiredCapacity": 201}, "Desired capacity:201 must be between"),
        ("update_auto_scaling_group", {"AutoScalingGroupName": "h"}, "AutoScalingGroup name not found - null"),
        ("set_desired_capacity", {"DesiredCapacity": 201}, "value 201 is above max value 200"),
        ("set_desired_capacity", {"DesiredCapacity": 0}, "value 0 is below min value 1"),
        ("delete_auto_scaling_group", {"AutoScalingGroupName": "h"}, "AutoScalingGroup name not found - null"),
    ],
)
def test_what_a_change_is_refused_for(asg, group_of_one, refused, operation, wish, text):
    code, found = refused(getattr(asg, operation), **{"AutoScalingGroupName": "g", **wish})
    assert code == "ValidationError"
    assert text in found


def test_batch_meets_the_quota_too(local_aws, client, ec2, subnets, refused):
    set_quota(local_aws.store, ACCOUNT, REGION, TRN, 128)
    vpc = vpc_of(ec2)
    sg = ec2.create_security_group(GroupName="batch", Description="x", VpcId=vpc)["GroupId"]
    role = "arn:aws:iam::310000000000:role/batch"
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "batch.amazonaws.com"}}
    trust = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    client("iam").create_role(RoleName="batch", AssumeRolePolicyDocument=trust)
    client("iam").create_instance_profile(InstanceProfileName="batch")
    resources = {
        "type": "EC2",
        "minvCpus": 128,
        "maxvCpus": 512,
        "instanceTypes": ["trn1.32xlarge"],
        "subnets": [subnets["az4"]],
        "securityGroupIds": [sg],
        "instanceRole": "arn:aws:iam::310000000000:instance-profile/batch",
    }
    wish = {"type": "MANAGED", "serviceRole": role, "computeResources": resources}
    batch = client("batch")
    batch.create_compute_environment(computeEnvironmentName="one", **wish)
    assert [each["InstanceType"] for each in running(ec2)] == ["trn1.32xlarge"]
    assert refused(batch.create_compute_environment, computeEnvironmentName="two", **wish)[0] == "VcpuLimitExceeded"


def test_a_template_without_a_type_starts_nothing(asg, ec2, group):
    found = group(1, {"InstanceType": None})
    assert found["Instances"] == []
    assert failures(asg) == ["The request must contain the parameter InstanceType Launching EC2 instance failed."]
