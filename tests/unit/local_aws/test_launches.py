"""Where machines may run, how many an account may have, and what a capacity reservation holds."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from botocore.exceptions import ClientError
from moto.ec2 import ec2_backends

from local_aws.clients import local_client
from local_aws.quotas import default_value, set_quota, vcpu_quotas
from local_aws.reservations import state_at

ACCOUNT, REGION = "600000000000", "us-west-2"
TRN, INF, STANDARD = "L-2C3B7624", "L-1945791B", "L-1216C47A"
TRN_SPOT = "L-6B0D517C"
NODES = [
    {"Name": "tag-key", "Values": ["eks:nodegroup-name"]},
    {"Name": "instance-state-name", "Values": ["running"]},
]
FULL = "The requested reservation does not have sufficient compatible and available capacity for this request."


@pytest.fixture(scope="module")
def client(local_aws):
    return lambda service: local_client(service, local_aws.endpoint, ACCOUNT, REGION)


@pytest.fixture(scope="module")
def subnets(client):
    """Returns a subnet by zone id."""
    ec2 = client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    made = {
        zone: ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZoneId=zone)["Subnet"]
        for number, zone in enumerate(("usw2-az1", "usw2-az2", "usw2-az4"))
    }
    return {zone: subnet["SubnetId"] for zone, subnet in made.items()}


@pytest.fixture(scope="module")
def cluster(client, subnets):
    statement = {
        "Effect": "Allow",
        "Action": "sts:AssumeRole",
        "Principal": {"Service": ["eks.amazonaws.com", "ec2.amazonaws.com"]},
    }
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    role = client("iam").create_role(RoleName="both", AssumeRolePolicyDocument=document)["Role"]["Arn"]
    network = {"subnetIds": [subnets["usw2-az1"], subnets["usw2-az4"]]}
    client("eks").create_cluster(name="trn", roleArn=role, resourcesVpcConfig=network)
    return {"clusterName": "trn", "nodeRole": role}


@pytest.fixture
def run(client, subnets):
    """Runs instances in a zone; they end with the test."""
    ec2, made = client("ec2"), []

    def start(instance_type, zone="usw2-az4", count=1, **more):
        wish = {"ImageId": "ami-1", "SubnetId": subnets[zone], **more}
        answer = ec2.run_instances(InstanceType=instance_type, MinCount=count, MaxCount=count, **wish)
        ids = [each["InstanceId"] for each in answer["Instances"]]
        made.extend(ids)
        return ids

    def end(instance_id):
        made.remove(instance_id)
        ec2.terminate_instances(InstanceIds=[instance_id])

    start.made, start.end = made, end
    yield start
    if made:
        ec2.terminate_instances(InstanceIds=made)


@pytest.fixture
def group(client, cluster, subnets):
    """Makes a node group with a launch template; both end with the test."""
    ec2, eks, made = client("ec2"), client("eks"), []

    def make(name, data, desired, zones=("usw2-az4",), **more):
        template = ec2.create_launch_template(LaunchTemplateName=name, LaunchTemplateData=data)["LaunchTemplate"]
        made.append((name, template["LaunchTemplateId"]))
        eks.create_nodegroup(
            **cluster,
            nodegroupName=name,
            subnets=[subnets[zone] for zone in zones],
            launchTemplate={"id": template["LaunchTemplateId"]},
            scalingConfig={"minSize": 0, "desiredSize": desired, "maxSize": 20},
            **more,
        )
        return eks.describe_nodegroup(clusterName="trn", nodegroupName=name)["nodegroup"]

    def end(name):
        (place,) = [place for place, (made_as, _) in enumerate(made) if made_as == name]
        eks.delete_nodegroup(clusterName="trn", nodegroupName=name)
        ec2.delete_launch_template(LaunchTemplateId=made.pop(place)[1])

    make.end = end
    yield make
    for name, template in made:
        eks.delete_nodegroup(clusterName="trn", nodegroupName=name)
        ec2.delete_launch_template(LaunchTemplateId=template)


@pytest.fixture
def quota(local_aws):
    """Sets a quota for one test."""
    values = local_aws.store.table(ACCOUNT, REGION, "service-quotas.values")
    yield lambda code, value: set_quota(local_aws.store, ACCOUNT, REGION, code, value)
    values.clear()


@pytest.fixture
def reserve(client):
    """Reserves machines; on-demand reservations end with the test."""
    ec2, made = client("ec2"), []

    def make(instance_type="trn1.32xlarge", zone="usw2-az4", count=2, **more):
        wish = {"InstancePlatform": "Linux/UNIX", "InstanceMatchCriteria": "targeted", **more}
        row = ec2.create_capacity_reservation(
            InstanceType=instance_type, InstanceCount=count, AvailabilityZoneId=zone, **wish
        )["CapacityReservation"]
        made.append(row["CapacityReservationId"])
        return row

    yield make
    for reservation_id in made:
        if described(ec2, reservation_id)["State"] == "active":
            ec2.cancel_capacity_reservation(CapacityReservationId=reservation_id)


def described(ec2, reservation_id):
    return ec2.describe_capacity_reservations(CapacityReservationIds=[reservation_id])["CapacityReservations"][0]


def refusal(call, *arguments, **parameters):
    with pytest.raises(ClientError) as error:
        call(*arguments, **parameters)
    return error.value.response["Error"]["Code"], error.value.response["Error"]["Message"]


def into(reservation_id):
    target = {"CapacityReservationTarget": {"CapacityReservationId": reservation_id}}
    return {"CapacityReservationSpecification": target}


def test_a_zone_that_does_not_offer_the_type_is_refused(client, run):
    code, message = refusal(run, "trn1.32xlarge", "usw2-az2")
    assert code == "Unsupported"
    assert message.startswith(
        "Your requested instance type (trn1.32xlarge) is not supported in your requested Availability Zone (us-west-2"
    )
    zones = client("ec2").describe_availability_zones()["AvailabilityZones"]
    names = {zone["ZoneId"]: zone["ZoneName"] for zone in zones}
    assert message.endswith(f"or choosing {names['usw2-az1']}, {names['usw2-az4']}.")


def test_a_zone_that_offers_it_takes_it(run):
    assert len(run("trn1.32xlarge", "usw2-az4")) == 1


def test_a_node_group_in_such_a_zone_fails_as_its_launches_do(group):
    found = group("far", {"InstanceType": "trn1.32xlarge"}, 1, ("usw2-az4", "usw2-az2"))
    assert found["status"] == "CREATE_FAILED"
    issue = found["health"]["issues"][0]
    assert issue["code"] == "AsgInstanceLaunchFailures"
    assert issue["message"].startswith("Could not launch On-Demand Instances. Unsupported - Your requested instance")
    assert issue["message"].endswith("Launching EC2 instance failed.")
    assert issue["resourceIds"] == [found["resources"]["autoScalingGroups"][0]["name"]]


def test_a_group_that_wants_no_node_launches_none(group):
    assert group("later", {"InstanceType": "trn1.32xlarge"}, 0, ("usw2-az2",))["status"] == "ACTIVE"


def test_a_failed_group_takes_no_update(client, group):
    group("broken", {"InstanceType": "trn1.32xlarge"}, 1, ("usw2-az2",))
    sizes = {"desiredSize": 0}
    update = client("eks").update_nodegroup_config
    answer = refusal(update, clusterName="trn", nodegroupName="broken", scalingConfig=sizes)
    assert answer == (
        "ResourceInUseException",
        "Nodegroup cannot be updated as it is currently not in Active State",
    )


def test_the_quota_counts_instances_and_nodes_together(run, group, quota):
    """trn1.32xlarge has 128 vCPUs."""
    quota(TRN, 3 * 128)
    run("trn1.32xlarge")
    assert group("two", {"InstanceType": "trn1.32xlarge"}, 2)["status"] == "ACTIVE"
    code, message = refusal(run, "trn1.2xlarge")
    assert code == "VcpuLimitExceeded"
    assert message == (
        "You have requested more vCPU capacity than your current vCPU limit of 384 allows for the instance bucket that "
        "the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request "
        "an adjustment to this limit."
    )
    run("m7i.large")  # another bucket


def test_what_ended_counts_no_more(client, run, quota):
    quota(TRN, 128)
    first = run("trn1.32xlarge")
    client("ec2").terminate_instances(InstanceIds=first)
    run.made.clear()
    run("trn1.32xlarge")


def test_spot_has_a_quota_of_its_own(run, quota):
    quota(TRN, 0)
    quota(TRN_SPOT, 128)
    market = {"InstanceMarketOptions": {"MarketType": "spot"}}
    run("trn1.32xlarge", **market)
    assert refusal(run, "trn1.32xlarge", **market) == (
        "MaxSpotInstanceCountExceeded",
        "Max spot instance count exceeded",
    )


def test_a_group_beyond_the_quota_fails_in_ec2s_words(group, quota):
    quota(TRN, 0)
    issue = group("many", {"InstanceType": "trn1.32xlarge"}, 1)["health"]["issues"][0]
    assert issue["message"].startswith(
        "Could not launch On-Demand Instances. VcpuLimitExceeded - You have requested more vCPU capacity than your "
        "current vCPU limit of 0 allows"
    )


def test_a_group_beyond_the_quota_is_degraded_until_it_shrinks(client, group, quota):
    eks, name = client("eks"), {"clusterName": "trn", "nodegroupName": "grows"}
    quota(TRN, 128)
    group("grows", {"InstanceType": "trn1.32xlarge"}, 1)
    eks.update_nodegroup_config(**name, scalingConfig={"desiredSize": 2})
    found = eks.describe_nodegroup(**name)["nodegroup"]
    assert (found["status"], found["health"]["issues"][0]["code"]) == ("DEGRADED", "AsgInstanceLaunchFailures")
    eks.update_nodegroup_config(**name, scalingConfig={"desiredSize": 1})
    found = eks.describe_nodegroup(**name)["nodegroup"]
    assert (found["status"], found["health"]["issues"]) == ("ACTIVE", [])


@pytest.fixture
def machines(client):
    """How many nodes run."""

    def count():
        found = client("ec2").describe_instances(Filters=NODES)["Reservations"]
        return sum(len(reservation["Instances"]) for reservation in found)

    return count


def test_a_group_starts_the_machines_that_ec2_has_and_fails_for_the_others(local_aws, group, machines):
    trn1 = {"InstanceType": "trn1.32xlarge"}
    with local_aws.faults.scarce("trn1.32xlarge", available=15) as fault:
        found = group("scarce", trn1, 16)
        assert (found["status"], fault.injected, machines()) == ("CREATE_FAILED", 1, 15)
        (issue,) = found["health"]["issues"]
        assert issue["code"] == "AsgInstanceLaunchFailures"
        assert issue["message"].startswith(
            "Could not launch On-Demand Instances. InsufficientInstanceCapacity - We currently do not have sufficient "
            "trn1.32xlarge capacity in the Availability Zone you requested (us-west-2"
        )
        assert issue["message"].endswith("Launching EC2 instance failed.")
        assert group("one-more", trn1, 1)["status"] == "CREATE_FAILED"
        group.end("scarce")
        assert machines() == 0
        assert group("fewer", trn1, 15)["status"] == "ACTIVE"
        assert group("others", {"InstanceType": "m7i.large"}, 3)["status"] == "ACTIVE"


def test_instances_are_counted_among_the_machines_that_ec2_has(local_aws, run):
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        (first,) = run("trn1.32xlarge")
        code, message = refusal(run, "trn1.32xlarge")
        assert code == "InsufficientInstanceCapacity"
        assert message.startswith("We currently do not have sufficient trn1.32xlarge capacity")
        run.end(first)
        run("trn1.32xlarge")
    run("trn1.32xlarge")


def test_what_is_reserved_is_there_in_any_case(local_aws, group, reserve):
    reservation = reserve()["CapacityReservationId"]
    with local_aws.faults.scarce("trn1.32xlarge") as fault:
        assert group("reserved", {"InstanceType": "trn1.32xlarge", **into(reservation)}, 2)["status"] == "ACTIVE"
    assert fault.injected == 0


def test_a_group_that_grows_beyond_what_ec2_has_keeps_what_it_got(local_aws, client, group, machines):
    eks, name = client("eks"), {"clusterName": "trn", "nodegroupName": "grown"}
    with local_aws.faults.scarce("trn1.32xlarge", available=3):
        group("grown", {"InstanceType": "trn1.32xlarge"}, 2)
        eks.update_nodegroup_config(**name, scalingConfig={"desiredSize": 4})
        assert (eks.describe_nodegroup(**name)["nodegroup"]["status"], machines()) == ("DEGRADED", 3)
    eks.update_nodegroup_config(**name, scalingConfig={"desiredSize": 4})
    assert (eks.describe_nodegroup(**name)["nodegroup"]["status"], machines()) == ("ACTIVE", 4)


@pytest.mark.parametrize(
    ("wish", "text"), [(("trn1.31xlarge", 1), "did you mean 'trn1.32xlarge'"), (("trn1.32xlarge", -1), "not -1")]
)
def test_a_scarcity_that_can_never_be_met_is_refused(local_aws, wish, text):
    name, available = wish
    with pytest.raises(ValueError, match=text), local_aws.faults.scarce(name, available=available):
        pass


def test_the_quotas_are_those_of_the_catalog_and_generous(client):
    quotas = client("service-quotas").list_service_quotas(ServiceCode="ec2")["Quotas"]
    assert {each["QuotaCode"] for each in quotas} == set(vcpu_quotas()) >= {TRN, INF, STANDARD, TRN_SPOT}
    assert {each["Value"] for each in quotas} == {default_value()}


def test_an_increase_is_granted_and_read_back(client, quota):
    service = client("service-quotas")
    quota(TRN, 0)
    asked = service.request_service_quota_increase(ServiceCode="ec2", QuotaCode=TRN, DesiredValue=256)
    assert asked["RequestedQuota"]["Status"] == "APPROVED"
    found = service.get_service_quota(ServiceCode="ec2", QuotaCode=TRN)["Quota"]
    assert (found["Value"], found["QuotaName"], found["Adjustable"]) == (256, "Running On-Demand Trn instances", True)
    assert service.get_aws_default_service_quota(ServiceCode="ec2", QuotaCode=TRN)["Quota"]["Value"] == default_value()
    history = service.list_requested_service_quota_change_history(ServiceCode="ec2")["RequestedQuotas"]
    assert [each["DesiredValue"] for each in history] == [256]
    by_quota = service.list_requested_service_quota_change_history_by_quota
    assert by_quota(ServiceCode="ec2", QuotaCode=TRN)["RequestedQuotas"] == history
    assert by_quota(ServiceCode="ec2", QuotaCode=INF)["RequestedQuotas"] == []
    assert by_quota(ServiceCode="ec2", QuotaCode=TRN, Status="PENDING")["RequestedQuotas"] == []


def test_a_quota_is_not_asked_down(client, quota):
    quota(TRN, 128)
    ask = client("service-quotas").request_service_quota_increase
    assert refusal(ask, ServiceCode="ec2", QuotaCode=TRN, DesiredValue=128) == (
        "IllegalArgumentException",
        "You must provide a quota value greater than the current quota value.",
    )


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ("get_service_quota", {"ServiceCode": "ec2", "QuotaCode": "L-00000000"}),
        ("get_service_quota", {"ServiceCode": "vpc", "QuotaCode": "L-00000000"}),
        ("list_service_quotas", {"ServiceCode": "nothing"}),
    ],
)
def test_an_unknown_quota_is_not_found(client, call, parameters):
    assert refusal(getattr(client("service-quotas"), call), **parameters)[0] == "NoSuchResourceException"


def test_motos_quotas_of_a_vpc_stay(client):
    quotas = client("service-quotas").list_aws_default_service_quotas(ServiceCode="vpc")["Quotas"]
    assert len(quotas) > 10


def test_setting_a_quota_that_there_is_not_is_a_mistake(local_aws):
    with pytest.raises(LookupError, match="L-00000000"):
        set_quota(local_aws.store, ACCOUNT, REGION, "L-00000000", 1)


def test_a_reservation_is_read_back_with_its_free_places(client, reserve, run):
    row = reserve(count=2)
    assert (row["State"], row["TotalInstanceCount"], row["AvailableInstanceCount"]) == ("active", 2, 2)
    ids = run("trn1.32xlarge", **into(row["CapacityReservationId"]))
    ec2 = client("ec2")
    assert described(ec2, row["CapacityReservationId"])["AvailableInstanceCount"] == 1
    instance = ec2.describe_instances(InstanceIds=ids)["Reservations"][0]["Instances"][0]
    assert instance["CapacityReservationId"] == row["CapacityReservationId"]


def test_a_full_reservation_takes_no_more(run, group, reserve):
    reservation_id = reserve(count=2)["CapacityReservationId"]
    data = {"InstanceType": "trn1.32xlarge", **into(reservation_id)}
    assert group("reserved", data, 1)["status"] == "ACTIVE"
    run("trn1.32xlarge", **into(reservation_id))
    assert refusal(run, "trn1.32xlarge", **into(reservation_id)) == ("ReservationCapacityExceeded", FULL)
    issue = group("too-many", data, 1)["health"]["issues"][0]
    assert f"ReservationCapacityExceeded - {FULL}" in issue["message"]


@pytest.mark.parametrize(("instance_type", "zone"), [("trn1.2xlarge", "usw2-az4"), ("trn1.32xlarge", "usw2-az1")])
def test_a_machine_of_another_type_or_zone_does_not_fit(run, reserve, instance_type, zone):
    reservation_id = reserve()["CapacityReservationId"]
    assert refusal(run, instance_type, zone, **into(reservation_id)) == ("ReservationCapacityExceeded", FULL)


@pytest.mark.parametrize("of", [{"InstancePlatform": "Windows"}, {"Tenancy": "dedicated"}])
def test_a_machine_of_another_platform_or_tenancy_does_not_fit(run, reserve, of):
    reservation_id = reserve(**of)["CapacityReservationId"]
    assert refusal(run, "trn1.32xlarge", **into(reservation_id)) == ("ReservationCapacityExceeded", FULL)


@pytest.mark.parametrize("market", ["spot", "capacity-block"])
def test_a_reservation_takes_machines_on_demand_alone(run, reserve, market):
    reservation_id = reserve()["CapacityReservationId"]
    options = {"InstanceMarketOptions": {"MarketType": market}}
    assert refusal(run, "trn1.32xlarge", **options, **into(reservation_id))[0] == "InvalidParameterCombination"


def test_a_stopped_machine_needs_its_place_again(client, run, reserve):
    """A workstation that stops when nobody works gives its place away until it starts."""
    ec2 = client("ec2")
    reservation_id = reserve(count=1)["CapacityReservationId"]
    (first,) = run("trn1.32xlarge", **into(reservation_id))
    ec2.stop_instances(InstanceIds=[first])
    (second,) = run("trn1.32xlarge", **into(reservation_id))
    assert refusal(ec2.start_instances, InstanceIds=[first]) == ("ReservationCapacityExceeded", FULL)
    assert described(ec2, reservation_id)["AvailableInstanceCount"] == 0
    run.end(second)
    ec2.start_instances(InstanceIds=[first])
    assert described(ec2, reservation_id)["AvailableInstanceCount"] == 0


def test_machines_that_start_together_need_a_place_each(client, run, reserve, quota):
    ec2 = client("ec2")
    reservation_id = reserve(count=2)["CapacityReservationId"]
    both = run("trn1.32xlarge", count=2, **into(reservation_id))
    ec2.stop_instances(InstanceIds=both)
    run("trn1.32xlarge", **into(reservation_id))
    assert refusal(ec2.start_instances, InstanceIds=both) == ("ReservationCapacityExceeded", FULL)
    (outside,) = run("trn1.2xlarge")
    ec2.stop_instances(InstanceIds=[outside])
    quota(TRN, 0)
    assert refusal(ec2.start_instances, InstanceIds=[outside])[0] == "VcpuLimitExceeded"


def test_a_machine_starts_as_what_it_has_become(client, run, quota):
    """A workstation that gets more chips while it is stopped."""
    ec2 = client("ec2")
    (small,) = run("inf2.xlarge")
    ec2.stop_instances(InstanceIds=[small])
    ec2.modify_instance_attribute(InstanceId=small, InstanceType={"Value": "inf2.48xlarge"})
    quota(INF, 191)
    assert refusal(ec2.start_instances, InstanceIds=[small])[0] == "VcpuLimitExceeded"
    quota(INF, 192)
    ec2.start_instances(InstanceIds=[small])


def reservation_of(ec2, instance_id):
    (instance,) = ec2.describe_instances(InstanceIds=[instance_id])["Reservations"][0]["Instances"]
    return instance.get("CapacityReservationId")


def test_an_open_reservation_carries_what_fits_before_and_after_it(client, run, reserve):
    """Any machine that matches, on demand, and named no other place."""
    ec2 = client("ec2")
    (before,) = run("trn1.32xlarge")
    (spot,) = run("trn1.32xlarge", InstanceMarketOptions={"MarketType": "spot"})
    (apart,) = run("trn1.32xlarge", CapacityReservationSpecification={"CapacityReservationPreference": "none"})
    row = reserve(count=2, InstanceMatchCriteria="open")
    reservation_id = row["CapacityReservationId"]
    (after,) = run("trn1.32xlarge")
    (beside,) = run("trn1.32xlarge")
    found = [reservation_of(ec2, each) for each in (before, spot, apart, after, beside)]
    assert found == [reservation_id, None, None, reservation_id, None]
    assert described(ec2, reservation_id)["AvailableInstanceCount"] == 0
    run.end(before)
    assert reservation_of(ec2, beside) == reservation_id
    ec2.cancel_capacity_reservation(CapacityReservationId=reservation_id)
    assert [reservation_of(ec2, each) for each in (after, beside)] == [None, None]


def test_who_wants_reservations_alone_finds_one_or_does_not_start(run, group, reserve):
    only = {"CapacityReservationSpecification": {"CapacityReservationPreference": "capacity-reservations-only"}}
    assert refusal(run, "trn1.32xlarge", **only) == ("ReservationCapacityExceeded", FULL)
    reserve(count=2, InstanceMatchCriteria="open")
    run("trn1.32xlarge", **only)
    assert group("reservations-only", {"InstanceType": "trn1.32xlarge", **only}, 1)["status"] == "ACTIVE"
    assert refusal(run, "trn1.32xlarge", **only) == ("ReservationCapacityExceeded", FULL)


def test_a_reservation_counts_against_the_quota_and_its_machines_do_not_count_twice(run, reserve, quota):
    quota(TRN, 3 * 128)
    reservation_id = reserve(count=2)["CapacityReservationId"]
    run("trn1.32xlarge")
    assert refusal(run, "trn1.32xlarge")[0] == "VcpuLimitExceeded"
    run("trn1.32xlarge", count=2, **into(reservation_id))


def test_a_reservation_that_there_is_not(run, client):
    answer = (
        "InvalidCapacityReservationId.NotFound",
        "The capacity reservation ID 'cr-0123456789abcdef0' does not exist",
    )
    assert refusal(run, "trn1.32xlarge", **into("cr-0123456789abcdef0")) == answer
    describe = client("ec2").describe_capacity_reservations
    assert refusal(describe, CapacityReservationIds=["cr-0123456789abcdef0"]) == answer


def test_a_cancelled_reservation_takes_nobody_and_is_cancelled_once(client, run, reserve):
    ec2 = client("ec2")
    reservation_id = reserve()["CapacityReservationId"]
    assert ec2.cancel_capacity_reservation(CapacityReservationId=reservation_id)["Return"] is True
    assert described(ec2, reservation_id)["State"] == "cancelled"
    assert refusal(run, "trn1.32xlarge", **into(reservation_id))[0] == "InvalidCapacityReservationState"
    again = refusal(ec2.cancel_capacity_reservation, CapacityReservationId=reservation_id)
    assert again[0] == "InvalidCapacityReservationState"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"AvailabilityZoneId": "usw2-az2"}, "Unsupported"),
        ({"AvailabilityZone": "us-west-2z"}, "InvalidParameterValue"),
        ({"AvailabilityZone": "us-west-2a", "AvailabilityZoneId": "usw2-az4"}, "InvalidParameterValue"),
        ({}, "MissingParameter"),
        ({"AvailabilityZoneId": "usw2-az4", "InstanceCount": 0}, "InvalidParameterValue"),
        ({"AvailabilityZoneId": "usw2-az4", "InstanceType": "trn9.48xlarge"}, "InvalidParameterValue"),
        ({"AvailabilityZoneId": "usw2-az4", "EndDateType": "limited"}, "InvalidParameterCombination"),
        ({"AvailabilityZoneId": "usw2-az4", "InstanceCount": 100}, "VcpuLimitExceeded"),
    ],
)
def test_what_cannot_be_reserved(client, wish, code):
    wanted = {"InstanceType": "trn1.32xlarge", "InstancePlatform": "Linux/UNIX", "InstanceCount": 1, **wish}
    assert refusal(client("ec2").create_capacity_reservation, **wanted)[0] == code


def test_a_reservation_holds_images_of_its_platform_only(client, reserve, run):
    ec2, red_hat = client("ec2"), "Red Hat Enterprise Linux"
    image = ec2.describe_images(Owners=["amazon"])["Images"][0]
    assert image["PlatformDetails"] == "Linux/UNIX"
    backend_image = ec2_backends[ACCOUNT][REGION].amis[image["ImageId"]]
    backend_image.platform_details = red_hat
    try:
        of_linux, of_red_hat = reserve(), reserve(InstancePlatform=red_hat)
        own = {"ImageId": image["ImageId"]}
        assert refusal(run, "trn1.32xlarge", **own, **into(of_linux["CapacityReservationId"]))[1] == FULL
        run("trn1.32xlarge", **own, **into(of_red_hat["CapacityReservationId"]))
        assert described(ec2, of_red_hat["CapacityReservationId"])["AvailableInstanceCount"] == 1
    finally:
        backend_image.platform_details = "Linux/UNIX"


def test_reservations_are_found_by_filters(client, reserve):
    row = reserve()
    find = client("ec2").describe_capacity_reservations
    wanted = [{"Name": "instance-type", "Values": ["trn1.32xlarge"]}, {"Name": "state", "Values": ["active"]}]
    found = find(Filters=wanted)["CapacityReservations"]
    assert [each["CapacityReservationId"] for each in found] == [row["CapacityReservationId"]]
    assert refusal(find, Filters=[{"Name": "colour", "Values": ["red"]}])[0] == "InvalidParameterValue"


@pytest.fixture
def block(client):
    """Buys a block of one trn1.32xlarge: the first offering that starts now, or on another day."""
    ec2 = client("ec2")

    def buy(*, now):
        offered = ec2.describe_capacity_block_offerings(
            InstanceType="trn1.32xlarge", InstanceCount=1, CapacityDurationHours=48
        )["CapacityBlockOfferings"]
        moment = dt.datetime.now(dt.UTC)
        offering = next(each for each in offered if (each["StartDate"] <= moment) is now)
        return ec2.purchase_capacity_block(
            CapacityBlockOfferingId=offering["CapacityBlockOfferingId"], InstancePlatform="Linux/UNIX"
        )["CapacityReservation"]

    return buy


def test_blocks_are_offered_in_the_zones_that_have_the_type(client):
    ec2 = client("ec2")
    offered = ec2.describe_capacity_block_offerings(
        InstanceType="trn1.32xlarge", InstanceCount=4, CapacityDurationHours=24
    )["CapacityBlockOfferings"]
    names = {
        zone["ZoneName"]
        for zone in ec2.describe_availability_zones()["AvailabilityZones"]
        if zone["ZoneId"] in ("usw2-az1", "usw2-az4")
    }
    assert {each["AvailabilityZone"] for each in offered} == names
    assert {(each["InstanceCount"], each["CurrencyCode"]) for each in offered} == {(4, "USD")}
    assert all(each["EndDate"].strftime("%H:%M") == "11:30" for each in offered)


def test_a_block_that_runs_takes_its_machines_beside_the_quota(run, quota, subnets, client, block):
    quota(TRN, 0)
    row = block(now=True)
    assert (row["State"], row["ReservationType"]) == ("active", "capacity-block")
    zone = row["AvailabilityZoneId"]
    market = {"InstanceMarketOptions": {"MarketType": "capacity-block"}, **into(row["CapacityReservationId"])}
    as_reservation = refusal(run, "trn1.32xlarge", zone, **into(row["CapacityReservationId"]))
    assert as_reservation[0] == "InvalidParameterCombination"
    run("trn1.32xlarge", zone, **market)
    assert refusal(run, "trn1.32xlarge", zone, **market) == ("ReservationCapacityExceeded", FULL)


def test_a_block_that_has_not_begun_takes_nobody(run, group, block):
    row = block(now=False)
    assert (row["State"], row["AvailableInstanceCount"]) == ("scheduled", 0)
    market = {"InstanceMarketOptions": {"MarketType": "capacity-block"}, **into(row["CapacityReservationId"])}
    code, message = refusal(run, "trn1.32xlarge", row["AvailabilityZoneId"], **market)
    assert code == "InvalidCapacityReservationState.PendingActivation"
    assert message.endswith("is in the state scheduled.")
    data = {"InstanceType": "trn1.32xlarge", **market}
    waiting = group("waits", data, 0, (row["AvailabilityZoneId"],), capacityType="CAPACITY_BLOCK")
    assert waiting["status"] == "ACTIVE"


def test_a_group_is_scaled_to_none_forty_minutes_before_its_block_ends_and_only_once(group, client, block, local_aws):
    row, eks, ec2 = block(now=True), client("eks"), client("ec2")
    market = {"InstanceMarketOptions": {"MarketType": "capacity-block"}, **into(row["CapacityReservationId"])}
    data = {"InstanceType": "trn1.32xlarge", **market}
    made = group("in-block", data, 1, (row["AvailabilityZoneId"],), capacityType="CAPACITY_BLOCK")
    names = {"clusterName": made["clusterName"], "nodegroupName": made["nodegroupName"]}

    def sizes():
        reported = ec2.describe_capacity_reservations(CapacityReservationIds=[row["CapacityReservationId"]])
        scaling = eks.describe_nodegroup(**names)["nodegroup"]["scalingConfig"]
        return scaling["desiredSize"], reported["CapacityReservations"][0]["AvailableInstanceCount"]

    local_aws.clock.set(row["EndDate"] - dt.timedelta(minutes=41))
    assert sizes() == (1, 0)
    local_aws.clock.advance(dt.timedelta(minutes=2))
    assert sizes() == (0, 1)
    local_aws.clock.set(row["EndDate"] - dt.timedelta(minutes=35))
    eks.update_nodegroup_config(**names, scalingConfig={"desiredSize": 1})
    assert sizes()[0] == 1, "a scheduled action runs once"
    local_aws.clock.reset()


@pytest.fixture
def roll(client):
    """Gives a group a launch template's new version; the update's status and error codes, and the group after it."""

    def to(template, data, name):
        ec2, eks = client("ec2"), client("eks")
        version = ec2.create_launch_template_version(LaunchTemplateId=template["id"], LaunchTemplateData=data)
        wanted = {"id": template["id"], "version": str(version["LaunchTemplateVersion"]["VersionNumber"])}
        started = eks.update_nodegroup_version(clusterName="trn", nodegroupName=name, launchTemplate=wanted)["update"]
        update = eks.describe_update(name="trn", nodegroupName=name, updateId=started["id"])["update"]
        errors = [(error["errorCode"], error["errorMessage"]) for error in update["errors"]]
        return update["status"], errors, eks.describe_nodegroup(clusterName="trn", nodegroupName=name)["nodegroup"]

    return to


def test_the_way_back_to_what_a_new_size_degraded_is_no_failure(client, group, block, roll):
    """As a rollback goes it: a new template version with the old data."""
    eks, name = client("eks"), {"clusterName": "trn", "nodegroupName": "swapped"}
    row = block(now=True)
    later = block(now=False)["CapacityReservationId"]
    market = {"InstanceType": "trn1.32xlarge", "InstanceMarketOptions": {"MarketType": "capacity-block"}}
    data = {**market, **into(row["CapacityReservationId"])}
    zones = (row["AvailabilityZoneId"],)
    template = group("swapped", data, 1, zones, capacityType="CAPACITY_BLOCK")["launchTemplate"]
    eks.update_nodegroup_config(**name, updateConfig={"maxUnavailable": 1, "updateStrategy": "MINIMAL"})

    def to(next_data):
        status, errors, _ = roll(template, next_data, "swapped")
        return status, [code for code, _ in errors]

    eks.update_nodegroup_config(**name, scalingConfig={"desiredSize": 2})
    found = eks.describe_nodegroup(**name)["nodegroup"]
    assert found["status"] == "DEGRADED"
    (issue,) = found["health"]["issues"]
    assert issue["message"].startswith("Could not launch Capacity Block Instances. ReservationCapacityExceeded")
    assert to({**market, **into(later)}) == ("Failed", ["NodeCreationFailure"])
    assert to(data) == ("Successful", [])
    assert eks.describe_nodegroup(**name)["nodegroup"]["status"] == "DEGRADED"
    eks.update_nodegroup_config(**name, scalingConfig={"desiredSize": 1})
    assert to({**market, **into(later)}) == ("Failed", ["NodeCreationFailure"])
    assert to(data) == ("Successful", [])
    assert eks.describe_nodegroup(**name)["nodegroup"]["status"] == "ACTIVE"


def test_a_roll_starts_a_node_before_it_ends_one_unless_told_otherwise(client, group, reserve, roll):
    """A full reservation has no room for it (update strategy DEFAULT), and the group stays as it was."""
    row = reserve(count=2)
    data = {"InstanceType": "trn1.32xlarge", **into(row["CapacityReservationId"])}
    made = group("full", data, 2)
    bigger = data | {"BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 700}}]}
    status, ((code, message),), left = roll(made["launchTemplate"], bigger, "full")
    assert (status, code) == ("Failed", "NodeCreationFailure")
    assert f"ReservationCapacityExceeded - {FULL}" in message
    assert (left["launchTemplate"], left["status"]) == (made["launchTemplate"], "ACTIVE")
    minimal = {"maxUnavailable": 1, "updateStrategy": "MINIMAL"}
    client("eks").update_nodegroup_config(clusterName="trn", nodegroupName="full", updateConfig=minimal)
    status, errors, left = roll(made["launchTemplate"], bigger, "full")
    assert (status, errors, left["launchTemplate"]["version"]) == ("Successful", [], "3")
    assert described(client("ec2"), row["CapacityReservationId"])["AvailableInstanceCount"] == 0


def test_a_group_of_no_nodes_rolls_without_room(group, reserve, roll):
    row = reserve(count=1)
    data = {"InstanceType": "trn1.32xlarge", **into(row["CapacityReservationId"])}
    group("holder", data, 1)
    made = group("none-yet", data, 0)
    assert roll(made["launchTemplate"], data | {"EbsOptimized": True}, "none-yet")[:2] == ("Successful", [])


def test_what_is_noted_of_a_group_ends_with_it(local_aws, client, cluster, subnets, quota):
    def noted():
        tables = {name: list(rows) for (_, _, name), rows in local_aws.store.tables.items() if rows}
        return {name: rows for name, rows in tables.items() if name.startswith("eks.") and "updates" not in name}

    eks, before = client("eks"), noted()
    size = {"minSize": 0, "desiredSize": 1, "maxSize": 20}
    where = {"nodegroupName": "ends", "subnets": [subnets["usw2-az4"]], "instanceTypes": ["trn1.2xlarge"]}
    eks.create_nodegroup(**cluster, **where, scalingConfig=size)
    quota(TRN, 8)
    eks.update_nodegroup_config(clusterName="trn", nodegroupName="ends", scalingConfig={"desiredSize": 2})
    assert eks.describe_nodegroup(clusterName="trn", nodegroupName="ends")["nodegroup"]["status"] == "DEGRADED"
    eks.delete_nodegroup(clusterName="trn", nodegroupName="ends")
    assert noted() == before


def test_an_offering_is_sold_once_and_a_block_is_not_cancelled(client, block):
    ec2 = client("ec2")
    row = block(now=True)
    cancel = ec2.cancel_capacity_reservation
    assert refusal(cancel, CapacityReservationId=row["CapacityReservationId"])[0] == "InvalidCapacityReservationState"
    buy = ec2.purchase_capacity_block
    sold = {"CapacityBlockOfferingId": row["CapacityBlockId"], "InstancePlatform": "Linux/UNIX"}
    assert refusal(buy, **sold)[0] == "InvalidCapacityBlockOfferingIdNotFound"


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ({"InstanceType": "trn1n.32xlarge"}, "trn1n.32xlarge is not offered in capacity blocks"),
        ({"CapacityDurationHours": 25}, "The capacity duration of 25 hours is not offered"),
        ({"CapacityDurationHours": 15 * 24}, "The capacity duration of 360 hours is not offered"),
        ({"CapacityDurationHours": 183 * 24}, "is not offered"),
        ({"InstanceCount": 65}, "The instance count 65 is not offered"),
    ],
)
def test_blocks_that_are_not_sold(client, wish, text):
    wanted = {"InstanceType": "trn1.32xlarge", "InstanceCount": 1, "CapacityDurationHours": 24, **wish}
    code, message = refusal(client("ec2").describe_capacity_block_offerings, **wanted)
    assert code == "InvalidParameterValue"
    assert text in message


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ({"State": "active"}, "active"),
        ({"State": "active", "StartDate": dt.datetime(2026, 11, 22, tzinfo=dt.UTC)}, "scheduled"),
        ({"State": "active", "EndDate": dt.datetime(2026, 11, 21, 11, 30, tzinfo=dt.UTC)}, "expired"),
        ({"State": "cancelled", "EndDate": dt.datetime(2026, 11, 20, tzinfo=dt.UTC)}, "cancelled"),
    ],
)
def test_the_state_of_a_reservation_follows_its_dates(row, state):
    assert state_at(row, dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)) == state


def test_a_launch_without_a_subnet_starts_in_the_zone_of_its_reservation_if_it_fits(client, reserve):
    ec2, row = client("ec2"), reserve("inf2.xlarge", zone="usw2-az2", count=2)
    target = {"CapacityReservationTarget": {"CapacityReservationId": row["CapacityReservationId"]}}
    ask = {"ImageId": "ami-1", "InstanceType": "inf2.xlarge", "CapacityReservationSpecification": target}
    made = ec2.run_instances(**ask, MinCount=1, MaxCount=5)["Instances"]
    ids = [each["InstanceId"] for each in made]
    assert len(ids) == 2
    zones = {each["Placement"]["AvailabilityZone"] for each in made}
    assert zones == {
        zone["ZoneName"] for zone in ec2.describe_availability_zones(ZoneIds=["usw2-az2"])["AvailabilityZones"]
    }
    ec2.terminate_instances(InstanceIds=ids)


def test_a_fresh_account_has_the_quotas_that_aws_gives(local_aws, client, monkeypatch):
    monkeypatch.setattr(local_aws.store, "is_fresh_account", True)
    service = client("service-quotas")
    reported = {each["QuotaCode"]: each["Value"] for each in service.list_service_quotas(ServiceCode="ec2")["Quotas"]}
    assert (reported[STANDARD], reported[TRN], reported[TRN_SPOT], reported[INF]) == (5, 0, 0, 0)
    defaults = service.list_aws_default_service_quotas(ServiceCode="ec2")["Quotas"]
    assert {each["QuotaCode"]: each["Value"] for each in defaults} == reported
    service.request_service_quota_increase(ServiceCode="ec2", QuotaCode=TRN, DesiredValue=128)
    assert service.get_service_quota(ServiceCode="ec2", QuotaCode=TRN)["Quota"]["Value"] == 128
    assert service.get_aws_default_service_quota(ServiceCode="ec2", QuotaCode=TRN)["Quota"]["Value"] == 0
