"""Resource groups of capacity reservations, and launches that target one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Refused = Callable[..., tuple[str, str]]
TYPE = "trn1.32xlarge"
NOWHERE = "arn:aws:resource-groups:us-west-2:300000000000:group/nowhere"
POOL = [
    {"Type": "AWS::EC2::CapacityReservationPool"},
    {
        "Type": "AWS::ResourceGroups::Generic",
        "Parameters": [{"Name": "allowed-resource-types", "Values": ["AWS::EC2::CapacityReservation"]}],
    },
]


@pytest.fixture
def ec2(client: Callable[[str], Any]) -> Any:
    return client("ec2")


@pytest.fixture
def groups(client: Callable[[str], Any]) -> Any:
    return client("resource-groups")


@pytest.fixture
def reserve(ec2: Any) -> Callable[..., dict[str, Any]]:
    def make(zone: str = "usw2-az4", count: int = 1, instance_type: str = TYPE) -> dict[str, Any]:
        wish = {"InstanceType": instance_type, "InstancePlatform": "Linux/UNIX", "InstanceCount": count}
        return dict(ec2.create_capacity_reservation(**wish, AvailabilityZoneId=zone)["CapacityReservation"])

    return make


@pytest.fixture
def pool(groups: Any) -> Any:
    """ARN of an empty group of reservations."""
    arn = groups.create_group(Name="trn1", Configuration=POOL)["Group"]["GroupArn"]
    yield arn
    groups.delete_group(GroupName="trn1")


@pytest.fixture
def run(ec2: Any) -> Any:
    """Launches into a group; the machines end with the test."""
    made: list[str] = []

    def launch(arn: str, subnet: str | None = None, count: int = 1, **more: Any) -> list[str]:
        target = {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": arn}}
        answer = ec2.run_instances(
            ImageId="ami-0123456789abcdef0",
            InstanceType=TYPE,
            MinCount=count,
            MaxCount=count,
            CapacityReservationSpecification=target,
            **({"SubnetId": subnet} if subnet else {}),
            **more,
        )
        ids = [each["InstanceId"] for each in answer["Instances"]]
        made.extend(ids)
        return ids

    yield launch
    if made:
        ec2.terminate_instances(InstanceIds=made)


def free(ec2: Any, *rows: dict[str, Any]) -> list[int]:
    ids = [row["CapacityReservationId"] for row in rows]
    found = ec2.describe_capacity_reservations(CapacityReservationIds=ids)["CapacityReservations"]
    return [row["AvailableInstanceCount"] for row in found]


def add(groups: Any, arn: str, *rows: dict[str, Any]) -> None:
    answer = groups.group_resources(Group=arn, ResourceArns=[row["CapacityReservationArn"] for row in rows])
    assert len(answer["Succeeded"]) == len(rows)


def test_members_come_and_go(groups: Any, pool: str, reserve: Any) -> None:
    row = reserve()
    arn, nothing = row["CapacityReservationArn"], row["CapacityReservationArn"].replace("cr-", "cr-f")
    answer = groups.group_resources(Group="trn1", ResourceArns=[arn, nothing])
    assert (answer["Succeeded"], [each["ResourceArn"] for each in answer["Failed"]]) == ([arn], [nothing])
    groups.group_resources(Group=pool, ResourceArns=[arn])
    found = groups.list_group_resources(Group=pool)["ResourceIdentifiers"]
    assert found == [{"ResourceArn": arn, "ResourceType": "AWS::EC2::CapacityReservation"}]
    answer = groups.ungroup_resources(Group=pool, ResourceArns=[arn, nothing])
    assert (answer["Succeeded"], [each["ResourceArn"] for each in answer["Failed"]]) == ([arn], [nothing])
    assert groups.list_group_resources(Group=pool)["ResourceIdentifiers"] == []


def test_a_group_that_there_is_not_has_no_members(groups: Any, refused: Refused) -> None:
    code, message = refused(groups.list_group_resources, Group=NOWHERE)
    assert (code, "nowhere" in message) == ("NotFoundException", True)


def test_machines_fill_one_reservation_of_the_group_after_the_other(
    ec2: Any, groups: Any, pool: str, reserve: Any, run: Any, ground: Any, refused: Refused
) -> None:
    first, second = reserve(count=1), reserve(count=2)
    add(groups, pool, first, second)
    assert len(run(pool, ground.subnets[1], count=2)) == 2
    assert free(ec2, first, second) == [0, 1]
    run(pool, ground.subnets[1])
    assert free(ec2, first, second) == [0, 0]
    assert refused(run, arn=pool, subnet=ground.subnets[1])[0] == "ReservationCapacityExceeded"


def test_only_reservations_of_the_type_and_zone_count(
    ec2: Any, groups: Any, pool: str, reserve: Any, run: Any, ground: Any, refused: Refused
) -> None:
    elsewhere, other = reserve(zone="usw2-az1"), reserve(instance_type="trn1.2xlarge")
    add(groups, pool, elsewhere, other)
    assert refused(run, arn=pool, subnet=ground.subnets[1])[0] == "ReservationCapacityExceeded"
    run(pool, ground.subnets[0])
    assert free(ec2, elsewhere, other) == [0, 1]


def test_a_cancelled_reservation_of_the_group_takes_nobody(
    ec2: Any, groups: Any, pool: str, reserve: Any, run: Any, ground: Any, refused: Refused
) -> None:
    row = reserve()
    add(groups, pool, row)
    ec2.cancel_capacity_reservation(CapacityReservationId=row["CapacityReservationId"])
    assert refused(run, arn=pool, subnet=ground.subnets[1])[0] == "ReservationCapacityExceeded"


def test_a_launch_into_what_is_no_group_of_reservations_is_refused(groups: Any, run: Any, refused: Refused) -> None:
    code, message = refused(run, arn=NOWHERE)
    assert (code, "no resource group of capacity reservations" in message) == ("InvalidParameterValue", True)
    tagged = {
        "Type": "TAG_FILTERS_1_0",
        "Query": '{"ResourceTypeFilters": [], "TagFilters": [{"Key": "a", "Values": []}]}',
    }
    arn = groups.create_group(Name="tagged", ResourceQuery=tagged)["Group"]["GroupArn"]
    assert refused(run, arn=arn)[0] == "InvalidParameterValue"
    groups.delete_group(GroupName="tagged")


def test_a_group_of_reservations_takes_no_spot_machines(
    ec2: Any, groups: Any, pool: str, reserve: Any, run: Any, refused: Any
) -> None:
    first = reserve(count=1)
    add(groups, pool, first)
    spot = {"InstanceMarketOptions": {"MarketType": "spot"}}
    assert refused(run, arn=pool, **spot)[0] == "ReservationCapacityExceeded"
    assert free(ec2, first) == [1]
    run(pool)
    assert free(ec2, first) == [0]


def test_the_nodes_of_a_group_take_their_places_in_it(
    ec2: Any, eks: Any, groups: Any, pool: str, reserve: Any, ground: Any, cluster: dict[str, Any]
) -> None:
    first, second = reserve(count=1), reserve(count=1)
    add(groups, pool, first, second)
    target = {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": pool}}
    data = {"InstanceType": TYPE, "CapacityReservationSpecification": target}
    template = ec2.create_launch_template(LaunchTemplateName="pooled", LaunchTemplateData=data)["LaunchTemplate"]
    eks.create_addon(clusterName="trn", addonName="vpc-cni")
    nodes = {"clusterName": "trn", "nodegroupName": "pooled"}
    eks.create_nodegroup(
        **nodes,
        nodeRole=ground.node_role,
        subnets=ground.subnets[1:],
        launchTemplate={"id": template["LaunchTemplateId"]},
        scalingConfig={"minSize": 0, "desiredSize": 2, "maxSize": 3},
    )
    assert eks.describe_nodegroup(**nodes)["nodegroup"]["status"] == "ACTIVE"
    assert free(ec2, first, second) == [0, 0]
    eks.update_nodegroup_config(**nodes, scalingConfig={"desiredSize": 3})
    issue = eks.describe_nodegroup(**nodes)["nodegroup"]["health"]["issues"][0]
    assert "ReservationCapacityExceeded" in issue["message"]
    eks.delete_nodegroup(**nodes)
    ec2.delete_launch_template(LaunchTemplateId=template["LaunchTemplateId"])
